import { startEmulator } from '../../../src/emulator.js';
import { canaryKey } from '../../helpers/canaries.js';
import { type SizeCase, sizeCases } from './size-cases.js';

/** An emulator in a process of its own: it strikes when it is asked to, and then tells the truth. */
export type HostileQuestion = { readonly strike: SizeCase } | 'truth';

const emulator = await startEmulator({ speed: 4, acceptKeys: [canaryKey('of-sizes')] });

process.on('message', (question: HostileQuestion) => {
  if (question === 'truth') {
    const { state, outputs } = emulator.ledger.jobs.at(-1)!;
    process.send?.({ state, outputs, strikes: emulator.ledger.faults.length });
    return;
  }
  emulator.setFaults(sizeCases[question.strike]());
  process.send?.('struck');
});
process.on('disconnect', () => process.exit());
process.send?.(JSON.stringify({ baseUrl: emulator.baseUrl, apiKey: emulator.apiKey }));
