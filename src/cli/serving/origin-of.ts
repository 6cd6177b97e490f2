import { UsageError } from '../cli-io.js';

/** The origin that a flag names. */
export const originOf = (text: string, flag: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/u.test(url.protocol) && url.href === `${url.origin}/`)
    return url.origin;
  throw new UsageError(`${flag} takes an origin, such as https://app.example`);
};
