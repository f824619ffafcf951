# docker build -t tailback . && docker run --rm -v "$PWD:/work" tailback run examples/first.toml
FROM rust:1-bookworm AS build
COPY . /source
RUN cd /source && make install PREFIX=/usr/local DESTDIR=/installed

FROM debian:bookworm-slim
COPY --from=build /installed/ /
WORKDIR /work
ENTRYPOINT ["tailback"]
