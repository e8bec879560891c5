/** Scheme, host and port of a database by `host` or `host:port`, the host written as in every address; null where it is none. */
export function postgresOrigin(host: string): URL | null {
  // The host of a scheme that pages do not have is left as it was typed.
  const { hostname, port } = URL.parse(`http://${host}`) ?? {};
  return hostname ? URL.parse(`postgres://${hostname}:${port || 5432}`) : null;
}
