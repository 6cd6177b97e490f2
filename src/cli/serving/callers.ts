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
  if (unknown !== undefined)
    throw new UsageError(
      `--operator ${unknown} has no token: its callers are ${Object.keys(tokens).join(', ')}`,
    );
  return Object.fromEntries(operator.map((name) => [name, { servers: 'change' }]));
};
