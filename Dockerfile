# The service for production: npm run start:prod without npm, as a user without rights, on a root file system that may be
# read-only. CONTRIBUTING.md says how its steps are tried.

FROM node:20-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# None of the packages needs its install script for the build.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json ormconfig.ts ./
COPY scripts scripts
COPY src src
COPY dashboard dashboard
RUN node scripts/build.mjs && node scripts/prune.mjs dist

FROM node:20-bookworm-slim AS packages
WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts/prune.mjs scripts/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && node scripts/prune.mjs node_modules

# Node.js without npm. The C++ library that it needs is a part of Debian's smallest image too, as apt needs it.
FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Template Messaging Service" \
  org.opencontainers.image.licenses="MIT"
RUN groupadd --gid 1000 node \
  && useradd --uid 1000 --gid node --no-create-home --home-dir /app --shell /usr/sbin/nologin node \
  && install --directory --owner=node --group=node /data
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY --from=packages /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY package.json LICENSE ./
COPY scripts/health-check.mjs scripts/
ENV NODE_ENV=production DATA_DIR=/data
# By its number, so that Kubernetes can tell that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "scripts/health-check.mjs"]
# With Node's flags of "npm run start:prod".
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "dist/src/main.js"]
