/** Forms in which a secret could stand in a text; each with the name of its encoding. */
export const encodingsOf = (secret: string): readonly (readonly [string, string])[] => {
  const bytes = Buffer.from(secret);
  const percent = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const escaped = Array.from(secret, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(
    '',
  );
  return [
    ['raw', secret],
    ['percent', percent],
    ['form', new URLSearchParams({ k: `${secret} +` }).toString().slice(2)],
    ['base64', Buffer.from(`u:${secret}:x`).toString('base64')],
    ['base64url', Buffer.from(`u${secret}:`).toString('base64url')],
    ['hex', bytes.toString('hex')],
    ['JSON-escaped', escaped],
    ['UTF-16', Array.from(secret).join('\0')],
    ['reversed', `?x=1&${Array.from(secret).reverse().join('')}=nekot`],
  ];
};

/** The encodings in which a text shows the secret, whole; what is looked at is independent of the library's redactor. */
export const leaksIn = (text: string, secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const lower = text.toLowerCase();
  const shown = (form: string): boolean => lower.includes(form.toLowerCase());
  const words = text.match(/[\w+/%=\\-]{16,}/gu) ?? [];
  const decoded = (each: (word: string) => string): boolean =>
    words.some((word) => each(word).includes(secret));
  const base64 = (word: string): string =>
    [0, 1, 2, 3].map((skip) => Buffer.from(word.slice(skip), 'base64').toString('latin1')).join('\n');
  const checks: readonly (readonly [string, boolean])[] = [
    ['raw', shown(secret)],
    [
      'percent or form',
      decoded((word) =>
        word.replace(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
      ),
    ],
    ['base64 or base64url', decoded(base64)],
    ['hex', shown(bytes.toString('hex'))],
    [
      'JSON-escaped',
      decoded((word) =>
        word.replace(/\\+u([0-9a-f]{4})/giu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
      ),
    ],
    [
      'UTF-16',
      shown(Array.from(secret).join('\0')) ||
        shown(Array.from(secret).join('\\x00')) ||
        shown(Array.from(secret).join('\\u0000')),
    ],
    ['reversed', shown(Array.from(secret).reverse().join(''))],
  ];
  return checks.filter(([, found]) => found).map(([name]) => name);
};
