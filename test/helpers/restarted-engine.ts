import type { Emulator, EngineFault } from '../../src/emulator.js';
import { expect } from 'vitest';

/** Ends the process of an engine and starts it again; resolves once it answers. */
export const restarted = async (
  { setFaults, ledger, baseUrl }: Emulator,
  keeps: 'nothing' | 'files' | 'queue',
): Promise<void> => {
  const before = ledger.faults.length;
  const fault: EngineFault = { on: 'engine', do: 'kill', atMs: 0, forMs: 0, keeps };
  setFaults([fault]);
  await expect.poll(() => ledger.faults.length).toBeGreaterThan(before);
  await expect
    .poll(() =>
      fetch(`${baseUrl}/queue`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
};
