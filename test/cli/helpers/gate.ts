import { afterFile } from '../../helpers/after-file.js';
import { type Gate, openGate } from './open-gate.js';

/** Opens a {@link openGate} that is closed after the tests of the file, as some of them run concurrently. */
export const gate = async (baseUrl: string, held: string): Promise<Gate> => {
  const opened = await openGate(baseUrl, held);
  afterFile(() => opened.close());
  return opened;
};
