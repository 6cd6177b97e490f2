import type { Refusal } from '../http/refusal.js';

/** The refusal of a gateway whose operator has not turned webhooks on. */
export const sendsNone: Refusal = {
  status: 501,
  code: 'not_implemented',
  message: 'This gateway sends no webhooks: its operator has to turn them on.',
};
