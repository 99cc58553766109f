# One static binary, run by a user without rights. Data live in /data.
#   docker build -t precedent .
#   docker run -it --rm precedent demo
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o /precedent ./cmd/precedent \
 && mkdir -p /root-of-image/data /root-of-image/tmp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /usr/share/zoneinfo /usr/share/zoneinfo
COPY --from=build /precedent /precedent
COPY LICENSE NOTICE LICENSES /
COPY --from=build --chown=65532:65532 /root-of-image/ /
USER 65532:65532
ENV PRECEDENT_DATA=/data HOME=/data
VOLUME /data
EXPOSE 8080
# It asks what PRECEDENT_HTTP names, else port 8080. Where nothing is served over HTTP: --no-healthcheck.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["/precedent", "health"]
ENTRYPOINT ["/precedent"]
CMD ["serve", "--http", "0.0.0.0:8080"]
