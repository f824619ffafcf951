// An animated picture: the data of many PNG files in one, which all browsers show. Nothing is compressed here: the browser has done so.

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** @param {Uint8Array} bytes */
function sum(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = TABLE[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** A chunk of a file. @param {string} name @param {Uint8Array} data */
function chunk(name, data) {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i += 1) bytes[4 + i] = name.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, sum(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

/** @param {number[]} words of four bytes */
function numbers(...words) {
  const bytes = new Uint8Array(4 * words.length);
  words.forEach((word, i) => new DataView(bytes.buffer).setUint32(4 * i, word));
  return bytes;
}

/** The chunks of a PNG file by name. @param {Uint8Array} file @returns {[string, Uint8Array][]} */
export function chunks(file) {
  const view = new DataView(file.buffer, file.byteOffset);
  const found = /** @type {[string, Uint8Array][]} */ ([]);
  for (let at = 8; at + 12 <= file.length;) {
    const length = view.getUint32(at);
    found.push([String.fromCharCode(...file.subarray(at + 4, at + 8)), file.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  return found;
}

/** Pictures of one size as one. @param {Blob[]} pictures @param {number} rate a second */
export async function animated(pictures, rate) {
  const files = await Promise.all(pictures.map(async (blob) => new Uint8Array(await blob.arrayBuffer())));
  const head = chunks(files[0])[0][1];
  const [width, height] = [0, 4].map((at) => new DataView(head.buffer, head.byteOffset).getUint32(at));
  const parts = [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), chunk("IHDR", head), chunk("acTL", numbers(files.length, 0))];
  let number = 0;
  files.forEach((file, at) => {
    const control = new Uint8Array(26);
    control.set(numbers(number++, width, height, 0, 0));
    new DataView(control.buffer).setUint16(20, 1);
    new DataView(control.buffer).setUint16(22, rate);
    parts.push(chunk("fcTL", control));
    for (const [name, data] of chunks(file)) {
      if (name !== "IDAT") continue;
      if (at === 0) parts.push(chunk("IDAT", data));
      else {
        const numbered = new Uint8Array(4 + data.length);
        numbered.set(numbers(number++));
        numbered.set(data, 4);
        parts.push(chunk("fdAT", numbered));
      }
    }
  });
  parts.push(chunk("IEND", new Uint8Array()));
  return new Blob(/** @type {any} */ (parts), { type: "image/png" });
}
