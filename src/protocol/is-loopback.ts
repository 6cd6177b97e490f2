/** Tells of the `hostname` of a parsed `URL` whether it names this machine, as `hostClass` does for the usual ways to say so. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost\.?|127\.[\d.]+|\[::(?:1|ffff:7f..:[\da-f]+)\])$/iu.test(hostname);
