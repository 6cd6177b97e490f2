import type { Logger } from '../core/log/logger.js';

/** The calls of one client that were made and have not run. */
export interface UnrunCalls {
  /** The same calls, each counted from when it is made until its `TaskEither` runs. */
  readonly counted: <Calls extends object>(calls: Calls, prefix?: string) => Calls;
  /** Writes the names of those that never ran, once. */
  readonly report: () => void;
}

/** Counts nothing where there is no logger, and in production. */
export const unrunCalls = (logger: Logger | undefined, isDevelopment = inDevelopment()): UnrunCalls => {
  const counts = new Map<string, number>();
  if (logger === undefined || !isDevelopment) return { counted: (calls) => calls, report: () => undefined };

  const countedCall = (name: string, call: Call): Call => {
    const add = (more: number): void => void counts.set(name, (counts.get(name) ?? 0) + more);
    return (...args) => {
      const made = call(...args);
      if (typeof made !== 'function') return made;
      add(1);
      let hasRun = false;
      return (...given: never[]): unknown => {
        if (!hasRun) add(-1);
        hasRun = true;
        return (made as Call)(...given);
      };
    };
  };
  return {
    counted: (calls, prefix = '') => {
      const members = Object.entries(Object.getOwnPropertyDescriptors(calls)).map(
        ([name, member]: [string, PropertyDescriptor]) => [
          name,
          typeof member.value === 'function'
            ? { ...member, value: countedCall(prefix + name, member.value as Call) }
            : member,
        ],
      );
      return Object.defineProperties({ ...calls }, Object.fromEntries(members) as PropertyDescriptorMap);
    },
    report: () => {
      const left = [...counts].filter(([, count]) => count > 0);
      counts.clear();
      if (left.length === 0) return;
      const names = left.map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`)).join(', ');
      logger.warn(
        `Calls that were made and never run: ${names}. Run them: await call(), or await toPromise(call); the calls of promptwire/promises begin by themselves.`,
        Object.fromEntries(left),
      );
    },
  };
};

/** Any method; only one whose result is a function is a call. */
type Call = (...args: never[]) => unknown;

// Written with dots, as bundlers look for it.
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Bundlers put their mode in place of the variable; a page without a bundler has none. */
const inDevelopment = (): boolean => {
  try {
    return process.env.NODE_ENV !== 'production';
  } catch {
    return true;
  }
};
