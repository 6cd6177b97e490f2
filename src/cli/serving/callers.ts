import type { Authorize } from '../../gateway.js';
import { UsageError } from '../cli-io.js';

/** Without tokens there is one caller: who can open a loopback socket may run jobs, and who has the machine has its servers. */
export const operatorHere: Authorize = () => ({ name: 'local', servers: 'change' });

/** What `--operator` grants to callers by name. */
export const grantsOf = (
  { operator = [] }: { readonly operator?: readonly string[] | undefined },
  tokens: Readonly<Record<string, string>>,
): Readonly<Record<string, { readonly servers: 'change' }>> => {
  const unknown = operator.find((name) => !Object.hasOwn(tokens, name));
  const callers = Object.keys(tokens);
  if (unknown !== undefined)
    throw new UsageError(
      callers.length === 0
        ? `--operator ${unknown} has no token, as there are none: without them every caller here is an operator`
        : `--operator ${unknown} has no token: its callers are ${callers.join(', ')}`,
    );
  return Object.fromEntries(operator.map((name) => [name, { servers: 'change' }]));
};
