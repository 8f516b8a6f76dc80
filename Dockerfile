# Bili from a release: the first stage builds it, the second has Node and the release only.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN npm run release \
 && mkdir /release \
 && tar -xzf .build/release/*.tar.gz -C /release --strip-components=1

FROM node:24-bookworm-slim
WORKDIR /bili
# The files belong to root: the process cannot change its own program.
COPY --from=build /release .
# Containers take requests from other containers. A JSON log is for collectors.
ENV NODE_ENV=production HOST=0.0.0.0 LOG_FORMAT=json
USER node
EXPOSE 3000 3001
# For web. The other commands listen on no port: compose.yaml disables the check for them.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The options are those of lib/cli/processes/supervise.ts.
ENTRYPOINT ["node", "--max-semi-space-size=32", "--min-semi-space-size=16", "/bili/bili.mjs"]
CMD ["web"]
