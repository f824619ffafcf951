// Lanes and their queues with WebGL 2, in one call: places stand in a texture that is sent once, what is seen of links in another that
// is the server's picture as it came. Vertices find both by their number.

import { lanes, ranks } from "./bundle.js";
import { isForced, rgb, ramps, numbers } from "./colour.js";

const VERTEX = `#version 300 es
precision highp float; precision highp int;
uniform highp sampler2D places; uniform highp sampler2D state; uniform highp sampler2D other; uniform highp sampler2D trees;
uniform vec2 centre, size; uniform float scale, lane; uniform int pieces, steps, mode, wide;
uniform vec3 road0, road1, queue0, queue1, node, less, more; uniform vec3 ramp[10]; uniform vec3 tree[6];
out vec3 colour;
vec4 piece(int i) { return texelFetch(places, ivec2(i % wide, i / wide), 0); }
vec4 seen(highp sampler2D of, int i) { int w = textureSize(of, 0).x; return texelFetch(of, ivec2(i % w, i / w), 0); }
vec3 along(float t) { float x = clamp(t, 0., 1.) * 8.999; int i = int(x); return mix(ramp[i], ramp[min(i + 1, 9)], x - float(i)); }
void main() {
  int each = steps * 6, half_ = pieces * each, id = gl_VertexID;
  bool queue = id >= half_; int at = queue ? id - half_ : id;
  int n = at / each, step = (at % each) / 6, corner = at % 6;
  vec4 ends = piece(3 * n), bends = piece(3 * n + 1), what = piece(3 * n + 2);
  int link = int(what.x + .5); vec4 s = seen(state, link);
  float from = what.y, to = what.z;
  float use = s.r, full = s.g, mean = s.b; int bits = int(s.a * 255. + .5); int still = bits & 3;
  float a = 0., b = 1.;
  vec3 c = mix(road0, road1, use);
  int rank = int(seen(trees, link).r * 255. + .5);
  if (mode == 1) c = use < .004 ? road0 : along(use);
  if (mode == 2) c = road0;
  if (mode == 3) { vec4 o = seen(other, link); float d = full - o.g; c = abs(d) < .2 ? road0 : mix(road0, d < 0. ? less : more, min(1., .25 + abs(d))); }
  if (queue) {
    float level = mode == 0 ? full : mode == 2 && rank > 0 ? max(full, .35) : 0.;
    if (level < .03) { gl_Position = vec4(2., 2., 2., 1.); colour = vec3(0.); return; }
    float head = 1. - level;
    a = clamp((head - from) / (to - from), 0., 1.);
    if (a >= 1.) { gl_Position = vec4(2., 2., 2., 1.); colour = vec3(0.); return; }
    c = mode == 2 ? (rank > 0 && rank < 7 ? tree[rank - 1] : node) : mix(queue0, queue1, mean);
  }
  float len = length(ends.zw - ends.xy);
  float inset = .2; float s0 = from <= 0. ? inset / max(len, .01) : 0., s1 = to >= 1. ? inset / max(len, .01) : 0.;
  if (len < .5) { s0 = min(s0, .45); s1 = min(s1, .45); }
  if (what.w > .5) { s0 *= .6; s1 *= .6; }
  float sx = corner == 0 || corner == 2 || corner == 3 ? float(step) : float(step + 1);
  float side = corner == 0 || corner == 1 || corner == 4 ? 0. : 1.;
  float t = mix(s0, 1. - s1, mix(a, b, sx / float(steps)));
  vec2 p, d;
  if (what.w > .5) {
    float u = 1. - t;
    p = u * u * u * ends.xy + 3. * u * u * t * bends.xy + 3. * u * t * t * bends.zw + t * t * t * ends.zw;
    d = 3. * u * u * (bends.xy - ends.xy) + 6. * u * t * (bends.zw - bends.xy) + 3. * t * t * (ends.zw - bends.zw);
  } else { p = mix(ends.xy, ends.zw, t); d = ends.zw - ends.xy; }
  d = normalize(d + vec2(1e-7, 0.));
  vec2 right = vec2(d.y, -d.x);
  float w = max(lane * scale, 1.15), gap = max(lane * scale * .18, .35);
  vec2 px = (p - centre) * scale + right * (gap + side * w);
  gl_Position = vec4(px.x * 2. / size.x, px.y * 2. / size.y, 0., 1.);
  colour = c;
}`;
const FRAGMENT = `#version 300 es
precision mediump float; in vec3 colour; out vec4 shown; void main() { shown = vec4(colour, 1.); }`;

const MODES = ["queues", "use", "trees", "diff"];

/** Whether this browser has it. */
export function hasGl() {
  // Patterns are drawn without it.
  if (new URLSearchParams(location.hash.slice(1)).get("draw") === "2d" || isForced()) return false;
  return document.createElement("canvas").getContext("webgl2") !== null;
}

/** @param {WebGL2RenderingContext} gl @param {number} kind @param {string} source */
function shader(gl, kind, source) {
  const made = /** @type {WebGLShader} */ (gl.createShader(kind));
  gl.shaderSource(made, source);
  gl.compileShader(made);
  if (!gl.getShaderParameter(made, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(made) ?? "no shader");
  return made;
}

/** Draws lanes on a canvas. */
export class LanesGl {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    const gl = /** @type {WebGL2RenderingContext} */ (canvas.getContext("webgl2", { antialias: false, alpha: true, premultipliedAlpha: true, preserveDrawingBuffer: true }));
    this.gl = gl;
    const program = /** @type {WebGLProgram} */ (gl.createProgram());
    gl.attachShader(program, shader(gl, gl.VERTEX_SHADER, VERTEX));
    gl.attachShader(program, shader(gl, gl.FRAGMENT_SHADER, FRAGMENT));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "no program");
    gl.useProgram(program);
    gl.bindVertexArray(gl.createVertexArray());
    /** @param {string} name */
    this.at = (name) => gl.getUniformLocation(program, name);
    /** @type {Record<string, WebGLTexture>} */
    this.textures = {};
    ["places", "state", "other", "trees"].forEach((name, unit) => {
      const texture = /** @type {WebGLTexture} */ (gl.createTexture());
      this.textures[name] = texture;
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
      for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
      gl.uniform1i(this.at(name), unit);
    });
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  }

  /** @param {any} places */
  places(places) {
    const { gl } = this;
    const { pieces } = places.counts;
    const links = places.counts.links + places.counts.bundles;
    const wide = Math.min(2048, Math.max(1, 3 * pieces));
    const high = Math.ceil((3 * pieces) / wide) || 1;
    const data = new Float32Array(4 * wide * high);
    data.set(places.curves);
    gl.activeTexture(gl.TEXTURE0);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, wide, high, 0, gl.RGBA, gl.FLOAT, data);
    this.pieces = pieces;
    this.links = links;
    this.wide = wide;
    let bent = false;
    for (let i = 11; i < places.curves.length; i += 12) bent ||= places.curves[i] > 0.5;
    this.steps = bent ? 12 : 1;
    this.across = Math.min(2048, Math.max(1, links));
    this.down = Math.ceil(links / this.across) || 1;
    this.padded = new Uint8Array(4 * this.across * this.down);
  }

  /** @param {number} unit @param {Uint8Array} bytes one or four a link */
  upload(unit, bytes) {
    const { gl } = this;
    const each = bytes.length / /** @type {number} */ (this.links);
    gl.activeTexture(gl.TEXTURE0 + unit);
    const full = /** @type {number} */ (this.across) * /** @type {number} */ (this.down) * each;
    let data = bytes;
    if (bytes.length !== full) {
      data = /** @type {Uint8Array} */ (this.padded).subarray(0, full);
      data.set(bytes);
    }
    const [inside, format] = each === 1 ? [gl.R8, gl.RED] : [gl.RGBA8, gl.RGBA];
    gl.texImage2D(gl.TEXTURE_2D, 0, inside, /** @type {number} */ (this.across), /** @type {number} */ (this.down), 0, format, gl.UNSIGNED_BYTE, data);
  }

  /** @param {any} view @param {any} picture @param {any} other @param {string} mode @param {number} lane @param {boolean} bare whether queues are left out */
  draw(view, picture, other, mode, lane, bare = false) {
    const { gl, canvas } = this;
    const ratio = devicePixelRatio || 1;
    const [w, h] = [Math.max(1, Math.round(view.w * ratio)), Math.max(1, Math.round(view.h * ratio))];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    gl.viewport(0, 0, w, h);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (picture === undefined || !this.pieces) return;
    this.upload(1, lanes(picture));
    if (mode === "diff" && other) this.upload(2, lanes(other));
    this.upload(3, ranks(picture));
    gl.uniform2f(this.at("centre"), view.x, view.y);
    gl.uniform2f(this.at("size"), view.w, view.h);
    gl.uniform1f(this.at("scale"), view.scale);
    gl.uniform1f(this.at("lane"), lane);
    gl.uniform1i(this.at("pieces"), this.pieces);
    gl.uniform1i(this.at("steps"), /** @type {number} */ (this.steps));
    gl.uniform1i(this.at("wide"), /** @type {number} */ (this.wide));
    gl.uniform1i(this.at("mode"), mode === "diff" && !other ? 0 : MODES.indexOf(mode));
    for (const name of ["road0", "road1", "queue0", "queue1", "node", "less", "more"]) gl.uniform3fv(this.at(name), rgb[name]);
    const stops = Array.from({ length: 10 }, (_, i) => ramps.useStops[Math.min(i, ramps.useStops.length - 1)]);
    gl.uniform3fv(this.at("ramp"), stops.flatMap((hex) => numbers(hex).map((v) => v / 255)));
    gl.uniform3fv(this.at("tree"), ramps.tree.flatMap((hex) => numbers(hex).map((v) => v / 255)));
    gl.drawArrays(gl.TRIANGLES, 0, (bare ? 1 : 2) * 6 * /** @type {number} */ (this.steps) * this.pieces);
  }
}
