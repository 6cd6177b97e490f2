import { redactor } from '../protocol/errors/redact.js';

/** What nobody may see, and how it is taken out of a text. */
export interface Secrets {
  readonly redact: (text: string) => string;
  /** Hides a key of the client's own, for good: a service may still speak of one that was replaced. */
  readonly own: (key: string) => void;
  /** Hides a key that a submission carries; of more than 32 different ones, those used longest ago may show again. */
  readonly carry: (key: string) => void;
}

const mostCarried = 32;

/** Makes {@link Secrets} without any. */
export const makeSecrets = (): Secrets => {
  const owned = new Set<string>();
  const carried = new Set<string>();
  let redact = redactor([]);
  const renew = (): void => {
    redact = redactor([...owned, ...carried]);
  };
  return {
    redact: (text) => redact(text),
    own: (key) => {
      owned.add(key);
      renew();
    },
    carry: (key) => {
      const isKnown = carried.delete(key);
      carried.add(key);
      const [oldest] = carried;
      if (oldest !== undefined && carried.size > mostCarried) carried.delete(oldest);
      if (!isKnown) renew();
    },
  };
};
