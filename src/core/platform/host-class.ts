/**
 * What kind of address a host is: `public`, this machine (`loopback`), a network of one's own (`private`), or one that no
 * download may come from (`forbidden`: link-local, metadata services, unspecified, multicast, reserved).
 */
export type HostClass = 'public' | 'loopback' | 'private' | 'forbidden';

/**
 * Classifies the `hostname` of a parsed `URL`, which has numbers in every notation already made plain.
 *
 * Only the text is looked at; a name that resolves to another class of address is not seen here.
 */
export const hostClass = (hostname: string): HostClass => {
  const host = hostname.toLowerCase().replace(/\.$/u, '');
  if (host === '') return 'forbidden';
  if (host.startsWith('[')) return classOfV6(expandV6(host.slice(1, -1)));
  const bytes = /^\d+\.\d+\.\d+\.\d+$/u.test(host) ? host.split('.').map(Number) : undefined;
  return bytes === undefined ? classOfName(host) : classOfV4(bytes);
};

const classOfName = (host: string): HostClass => {
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  if (host === 'metadata' || host === 'metadata.google.internal') return 'forbidden';
  return !host.includes('.') || /\.(?:local|internal|lan|home\.arpa)$/u.test(host) ? 'private' : 'public';
};

const classOfV4 = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): HostClass => {
  if (a === 127) return 'loopback';
  if (a === 100 && b === 100 && c === 100 && d === 200) return 'forbidden';
  if (a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168)) return 'private';
  if (a === 100 && b >= 64 && b < 128) return 'private';
  if (a === 198 && (b === 18 || b === 19)) return 'private';
  if (a === 0 || a >= 224 || (a === 169 && b === 254)) return 'forbidden';
  return reservedV4.has(`${a}.${b}.${c}`) || (a === 168 && b === 63 && c === 129 && d === 16)
    ? 'forbidden'
    : 'public';
};

/** Protocol assignments, documentation and the old relay of 6to4; the single address beside them is a metadata service. */
const reservedV4: ReadonlySet<string> = new Set([
  '192.0.0',
  '192.0.2',
  '192.88.99',
  '198.51.100',
  '203.0.113',
]);

const classOfV6 = (groups: readonly number[]): HostClass => {
  const [first = 0, second = 0] = groups;
  const embedded = groups.slice(-2).flatMap((group) => [group >> 8, group & 255]);
  const leading = groups.slice(0, 6).join(':');
  if (groups.slice(0, 7).every((group) => group === 0)) return groups[7] === 1 ? 'loopback' : 'forbidden';
  if (leading === '0:0:0:0:0:65535' || leading === '0:0:0:0:0:0' || leading === '100:65435:0:0:0:0') {
    return classOfV4(embedded);
  }
  if (first === 0x2002)
    return classOfV4([second >> 8, second & 255, (groups[2] ?? 0) >> 8, (groups[2] ?? 0) & 255]);
  if (groups.at(-1) === 0x254 && metadataV6.has(`${first.toString(16)}:${second.toString(16)}`)) {
    return 'forbidden';
  }
  if ((first & 0xfe00) === 0xfc00) return 'private';
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return 'forbidden';
  return (first & 0xe000) === 0x2000 && first !== 0x3fff ? 'public' : 'forbidden';
};

const metadataV6: ReadonlySet<string> = new Set(['fd00:ec2', 'fd20:ce']);

/** `URL` gives compressed lower-case groups, never a dotted tail. */
const expandV6 = (text: string): readonly number[] => {
  const [head = '', tail] = text.split('::');
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => parseInt(group, 16));
  const [left, right] = [parse(head), parse(tail ?? '')];
  return [...left, ...new Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0), ...right];
};

/** Whether the `hostname` of a parsed `URL` names this machine, as `hostClass` does for the usual ways to say so. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost\.?|127\.[\d.]+|\[::(?:1|ffff:7f..:[\da-f]+)\])$/iu.test(hostname);

/** Whether the `hostname` of a parsed `URL` is in a network of one's own: this machine, a private address, or a name of one label. */
export const isOwnNetwork = (hostname: string): boolean => isLoopback(hostname) || ownNetwork.test(hostname);

const ownNetwork =
  /^(?:[^.:]+|.+\.(?:local|internal|lan|home\.arpa)|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.[\d.]+|\[f[cd][\da-f]{2}:.*\])\.?$/iu;
