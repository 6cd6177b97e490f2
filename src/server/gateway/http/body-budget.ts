import { HttpRefusal } from './refusal.js';

/** The bytes of bodies that one request holds. */
export interface BodyHold {
  /** Counts more bytes; throws `HttpRefusal` (429 or 503) where the caller, or the gateway, may hold no more. */
  readonly add: (bytes: number) => void;
  /** Releases all of them; may be called more than once. */
  readonly release: () => void;
}

/** Counts the bytes of bodies that are being read or worked on, by their callers. */
export interface BodyBudget {
  /** Begins the account of one request, whose caller may hold `maxOfCaller` bytes in all. */
  readonly open: (name: string, maxOfCaller: number) => BodyHold;
}

/** Makes a {@link BodyBudget} of `maxInAll` bytes for all callers together. */
export const bodyBudget = (maxInAll: number): BodyBudget => {
  const byCaller = new Map<string, number>();
  let inAll = 0;

  const change = (name: string, bytes: number): void => {
    inAll += bytes;
    const own = (byCaller.get(name) ?? 0) + bytes;
    if (own === 0) byCaller.delete(name);
    else byCaller.set(name, own);
  };
  return {
    open: (name, maxOfCaller) => {
      let held = 0;
      return {
        add: (bytes) => {
          const own = (byCaller.get(name) ?? 0) + bytes;
          if (own > maxOfCaller) throw tooManyOfCaller(maxOfCaller);
          if (inAll + bytes > maxInAll) throw tooManyInAll;
          held += bytes;
          change(name, bytes);
        },
        release: () => {
          change(name, -held);
          held = 0;
        },
      };
    },
  };
};

const tooManyOfCaller = (most: number): HttpRefusal =>
  new HttpRefusal({
    status: 429,
    code: 'too_many_bytes',
    message: `Your requests that are under way may have ${most} bytes of bodies and large answers together (limits.heldBytes of the gateway).`,
    retryAfterS: 5,
  });

const tooManyInAll = new HttpRefusal({
  status: 503,
  code: 'overloaded',
  message:
    'The bodies and large answers of all callers have as many bytes as this gateway holds at once (totals.heldBytes).',
  retryAfterS: 5,
});
