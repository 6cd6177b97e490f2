import { appendFileSync } from 'node:fs';
import type { EnginePlan, LedgerLine } from './process-plans.js';
import { once } from 'node:events';
import { startEmulator } from '../../../src/emulator.js';

/** An engine in a process of its own, which writes its ledger as it goes. */
const [plan] = (await once(process, 'message')) as [EnginePlan];
const { port, slots, ledger } = plan;
const emulator = await startEmulator({ dialect: 'local', port, concurrency: slots, speed: 20 });

const write = (line: LedgerLine): void => appendFileSync(ledger, `${JSON.stringify(line)}\n`);
const told = new Map<string, 'runs' | 'over'>();
const watchEveryMs = 2;
setInterval(() => {
  for (const { promptId, createdAt, endedAt, extraData } of emulator.ledger.jobs) {
    if (!told.has(promptId)) {
      const { mark } = (extraData['extra_pnginfo'] ?? {}) as { readonly mark?: unknown };
      write({ promptId, mark: String(mark), createdAt });
      told.set(promptId, 'runs');
    }
    if (endedAt === undefined || told.get(promptId) === 'over') continue;
    write({ promptId, endedAt });
    told.set(promptId, 'over');
  }
}, watchEveryMs);
process.on('disconnect', () => process.exit());
process.send?.('ready');
