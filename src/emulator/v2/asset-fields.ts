/** False for a path that is empty, absolute or leads out of its folder. */
export const isFilePath = (path: string): boolean =>
  path !== '' && !/^[/\\]|^[A-Za-z]:|\0/u.test(path) && !path.split(/[/\\]/u).includes('..');

/** Milliseconds of an `expires_in` in seconds, 60 to 604,800. */
export const readExpiresIn = (value: unknown): number | undefined | 'invalid' => {
  if (value === undefined || value === null) return undefined;
  const seconds = typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 60 && seconds <= 604_800
    ? seconds * 1000
    : 'invalid';
};

/** True for a BLAKE3 hash as the interface writes it. */
export const isHash = (text: unknown): text is string =>
  typeof text === 'string' && /^blake3:[0-9a-f]{64}$/u.test(text);
