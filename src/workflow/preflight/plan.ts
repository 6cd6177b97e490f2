import { objectOf } from '../values.js';
import type { Plan } from './report.js';

/** Reads what an account may do from the answer of `features`, of which any member may be absent (docs/protocol.md, chapter 2.11). */
export const planOf = (features: unknown): Plan => {
  const {
    can_run_partner_nodes: may,
    max_upload_size: most,
    free_tier_balance: balance,
  } = objectOf(features);
  const freeRuns = freeRunsOf(balance);
  return {
    // True says that one gate is open, and others may be closed.
    paidNodes: may === false ? 'refused' : may === true ? 'open' : 'unknown',
    ...(freeRuns !== undefined && { freeRuns }),
    ...(typeof most === 'number' && most > 0 && { maxUploadBytes: most }),
  };
};

const freeRunsOf = (balance: unknown): Plan['freeRuns'] => {
  const { allowance, used, remaining } = objectOf(balance);
  return typeof allowance === 'number' && typeof used === 'number' && typeof remaining === 'number'
    ? { allowance, used, remaining }
    : undefined;
};
