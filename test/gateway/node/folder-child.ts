import { filePorts } from '../../../src/gateway-node.js';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';

/**
 * A program over a folder, for tests that kill it, fill its disk or start two of them. It says `open` once it has the folder, or
 * `TAG message`, and `ended` at its end.
 *
 * `load` adds jobs and events, several at once, as long as it lives, and says `job ID` and `event ID POSITION` of what is confirmed, and
 * `refused TAG CODE` of what is not. `hold` keeps the folder until its input ends.
 */
const [folder = '', work = 'hold', first = '0', text = ''] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Tagged {
  readonly _tag?: string;
  readonly code?: string;
  readonly message?: string;
}

const recordOf = (id: string): JobRecord => ({
  ...{ id, owner: `owner-${id.length % 3}`, client: 'default', createdAt: Date.now(), expiresAt: 9e15 },
  ...{ submissionId: `s-${id}`, key: `key-${id}`, workflow: { text: text.repeat(1_000) } as never },
});

const open = await filePorts(folder, { onDamage: (message) => say(`damage ${message}`) }).catch(
  (error: unknown) => {
    const { _tag, message } = error as Tagged;
    say(`${_tag} ${message}`);
    process.exit(1);
  },
);
say('open');

const lane = async (nth: number): Promise<void> => {
  for (let count = 0; ; count += 1) {
    const id = `${first}-${nth}-${count}`;
    try {
      const record = recordOf(id);
      const { _tag } = await open.index.add(record);
      if (_tag !== 'added') throw new Error(`${id} is ${_tag}`);
      say(`job ${id}`);
      for (let at = 0; at < 3; at += 1) {
        const [position] = await open.log.append(record.owner, id, [{ type: 'cancelRequested', at }]);
        say(`event ${id} ${position}`);
      }
      await open.index.update(id, { ended: { phase: 'completed', at: 1 } });
    } catch (error) {
      const { _tag, code } = error as Tagged;
      say(`refused ${_tag} ${code}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
};

if (work === 'load') await Promise.all([0, 1, 2, 3, 4, 5].map(lane));
else {
  process.stdin.resume();
  process.stdin.once('end', () => {
    void open.close().then(() => say('ended'));
  });
}
