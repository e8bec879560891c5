# A server for a team. Build: docker build -t quarry .   Run: see docs/guide/server.md
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm pack --silent && mv quarry-*.tgz /quarry.tgz

FROM node:24-bookworm-slim
RUN --mount=type=bind,from=build,source=/quarry.tgz,target=/quarry.tgz \
    npm install --global --offline /quarry.tgz && useradd --create-home quarry
USER quarry
# Settings, tokens and projects; indexes and the cache of vectors. Both outlive the container as volumes.
ENV XDG_CONFIG_HOME=/home/quarry/data/config XDG_DATA_HOME=/home/quarry/data/share XDG_CACHE_HOME=/home/quarry/data/cache
RUN mkdir -p /home/quarry/data
VOLUME /home/quarry/data
EXPOSE 8001
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:8001/health').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"
# Every caller needs a token: docker exec NAME quarry token create laptop. One for this run is on the first lines of its output.
ENTRYPOINT ["quarry", "serve", "--host", "0.0.0.0", "--port", "8001"]
