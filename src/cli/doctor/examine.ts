import type { Check, Finding, Found, Patient } from './finding.js';
import { addressCheck, connectionCheck, dnsCheck, proxyCheck, tlsCheck } from './checks/network.js';
import {
  clockCheck,
  dialectCheck,
  keyCheck,
  originCheck,
  planCheck,
  storageCheck,
} from './checks/service.js';
import { diskCheck, nodeCheck } from './checks/machine.js';
import type { ExitName } from '../exit-code.js';
import { reason } from './ask.js';
import { redisCheck } from './checks/redis.js';
import { socketCheck } from './checks/socket.js';

/** Every check: a cause comes before what it breaks. */
const checks: readonly Check[] = [
  ...[nodeCheck, addressCheck, proxyCheck, dnsCheck, connectionCheck, tlsCheck, clockCheck],
  ...[dialectCheck, keyCheck, planCheck, socketCheck, storageCheck, originCheck, diskCheck, redisCheck],
];

/** Looks at everything in turn, tells each finding, and resolves with the end that the first cause makes. */
export const examine = async (patient: Patient, tell: (finding: Finding) => void): Promise<ExitName> => {
  const broken = new Set<string>();
  let exit: ExitName = 'done';
  for (const { name, needs = [], exit: own, look } of checks) {
    if (patient.stop.aborted) break;
    const cause = needs.find((need) => broken.has(need));
    const finding: Found =
      cause === undefined
        ? await look(patient).catch((error: unknown) => ({
            status: 'failed' as const,
            message: reason(error),
          }))
        : { status: 'skipped', message: `not before ${cause} is well` };
    if (finding.status === 'failed' && exit === 'done') exit = own;
    if (finding.status === 'failed' || cause !== undefined) broken.add(name);
    tell({ check: name, ...finding });
  }
  return exit;
};
