/** A form of a secret as bytes; `encoding` is one of the nine that the scan looks for. */
export interface Needle {
  readonly encoding: string;
  readonly bytes: Buffer;
}

/** How many encodings {@link needlesOf} knows. */
export const encodings = 9;

/** Every form of a secret to look for in bytes, made without the library's redactor. */
export const needlesOf = (secret: string): readonly Needle[] => {
  const bytes = Buffer.from(secret);
  const bothCases = (text: string): readonly string[] => [text.toLowerCase(), text.toUpperCase()];
  const each = (prefix: string, width: number): string =>
    Array.from(secret, (unit) => prefix + unit.charCodeAt(0).toString(16).padStart(width, '0')).join('');
  const texts: readonly (readonly [string, readonly string[]])[] = [
    ['raw', [secret]],
    ['percent', [encodeURIComponent(secret), ...hexCases(each('%', 2), '%')]],
    ['form', [new URLSearchParams({ k: secret }).toString().slice(2)]],
    ['base64', [0, 1, 2].map((offset) => certainBase64(bytes, offset))],
    ['base64url', [0, 1, 2].map((offset) => urlSafe(certainBase64(bytes, offset)))],
    ['hex', bothCases(bytes.toString('hex'))],
    ['JSON-escaped', [...escapes.flatMap((u) => hexCases(each(u, 4), u)), secret.replaceAll('/', '\\/')]],
    ['UTF-16', ['\0', '\\0', '\\x00', '\\u0000'].map((nul) => Array.from(secret).join(nul))],
    ['reversed', [Array.from(secret).reverse().join('')]],
  ];
  const seen = new Set<string>();
  return texts.flatMap(([encoding, forms]) =>
    forms
      .filter((form) => !seen.has(form) && seen.add(form))
      .map((form) => ({ encoding, bytes: Buffer.from(form) })),
  );
};

/** As JSON within JSON has them, too. */
const escapes = ['\\u', '\\\\u', '\\\\\\\\u'] as const;

/** The digits in lower and in upper case, the letters of the prefix as they are. */
const hexCases = (text: string, prefix: string): readonly string[] => [
  text,
  text
    .split(prefix)
    .map((digits) => digits.toUpperCase())
    .join(prefix),
];

/** The characters that only the secret decides, `offset` bytes into a group of three. */
const certainBase64 = (bytes: Buffer, offset: number): string => {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
  const end = Math.floor((padded.length * 8) / 6);
  return padded.toString('base64').slice(Math.ceil((offset * 8) / 6), end);
};

const urlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_');
