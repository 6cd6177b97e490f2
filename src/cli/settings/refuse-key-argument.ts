import { UsageError } from '../usage-error.js';

/** Refuses a key among the arguments, where `ps` and the shell's history show it; the key is never repeated. */
export const refuseKeyArgument = (argv: readonly string[]): void => {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  if (flags.some((flag) => /^--(?:api-?key|key|token)(?:=|$)/iu.test(flag))) {
    throw new UsageError(
      'a key is not taken as an argument: others on this machine could read it in the list of processes, and your ' +
        'shell would keep it. Set PROMPTWIRE_API_KEY, or put it into a file and name that: --key-file FILE.',
    );
  }
};
