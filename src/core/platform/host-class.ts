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

/**
 * The addresses whose first bits are those of a prefix, by default all of its bits, and their class; of several that fit the first
 * counts.
 */
type Range = readonly [prefix: readonly number[], HostClass, bits?: number];

const rangesOfV4: readonly Range[] = [
  [[127], 'loopback'],
  // Metadata services.
  [[100, 100, 100, 200], 'forbidden'],
  [[168, 63, 129, 16], 'forbidden'],
  [[10], 'private'],
  [[172, 16], 'private', 12],
  [[192, 168], 'private'],
  [[100, 64], 'private', 10],
  [[198, 18], 'private', 15],
  [[0], 'forbidden'],
  [[169, 254], 'forbidden'],
  // Protocol assignments, documentation and the old relay of 6to4.
  [[192, 0, 0], 'forbidden'],
  [[192, 0, 2], 'forbidden'],
  [[192, 88, 99], 'forbidden'],
  [[198, 51, 100], 'forbidden'],
  [[203, 0, 113], 'forbidden'],
  // Multicast and reserved.
  [[224], 'forbidden', 3],
];

const rangesOfV6: readonly Range[] = [
  [[0xfc00], 'private', 7],
  [[0x2001, 0], 'forbidden', 23],
  [[0x2001, 0xdb8], 'forbidden'],
  [[0x3fff], 'forbidden'],
  [[0x2000], 'public', 3],
];

/** An IPv4 address may stand in one of IPv6 after one of these prefixes. */
const embeddings: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0xffff],
  [0, 0, 0, 0, 0, 0],
  [0x64, 0xff9b, 0, 0, 0, 0],
  [0x2002],
];

/** Whether the first bits of an address are those of a prefix; both in parts of `size` bits. */
const startsWith = (
  address: readonly number[],
  prefix: readonly number[],
  size: number,
  bits = prefix.length * size,
): boolean =>
  prefix.every((part, at) => {
    const left = Math.max(0, size - Math.max(0, bits - at * size));
    return (address[at] ?? 0) >> left === part >> left;
  });

const classOfV4 = (bytes: readonly number[]): HostClass =>
  rangesOfV4.find(([prefix, , bits]) => startsWith(bytes, prefix, 8, bits))?.[1] ?? 'public';

const classOfV6 = (groups: readonly number[]): HostClass => {
  // The unspecified address, this machine, and what is left of a form that nothing uses any more.
  if (groups.slice(0, 7).every((group) => group === 0)) return groups[7] === 1 ? 'loopback' : 'forbidden';
  const embedding = embeddings.find((prefix) => startsWith(groups, prefix, 16));
  if (embedding !== undefined) {
    const at = embedding.length;
    return classOfV4(groups.slice(at, at + 2).flatMap((group) => [group >> 8, group & 255]));
  }
  if (isMetadataV6(groups)) return 'forbidden';
  return rangesOfV6.find(([prefix, , bits]) => startsWith(groups, prefix, 16, bits))?.[1] ?? 'forbidden';
};

const isMetadataV6 = (groups: readonly number[]): boolean =>
  groups.at(-1) === 0x254 &&
  [
    [0xfd00, 0xec2],
    [0xfd20, 0xce],
  ].some((prefix) => startsWith(groups, prefix, 16));

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
