import { type CommandCase, differs, jsonLinesOf } from './command-case.js';
import { hold, type Phase } from './phases.js';
import { runCommand } from './run-command.js';

/** How a run with a job key ends that comes after one that was killed in this phase, and how many jobs there are then. */
const afterwards: readonly (readonly [Phase, code: number, jobs: number])[] = [
  ['connecting', 8, 0],
  ['submitting', 8, 1],
  ['pending', 130, 2],
  ['running', 130, 1],
  ['confirming', 0, 1],
  ['downloading', 0, 1],
];

/** SIGKILL in each phase from the first record on, and the same command again, as often as a script would. */
export const killCases = (): readonly CommandCase[] =>
  afterwards.map(([phase, code, jobs]) => ({
    name: `SIGKILL while ${phase}, and again with its --job-key`,
    run: async (main) => {
      const held = await hold(phase, { main, flags: ['--json', '--job-key', 'nightly'] });
      await using place = held.place;
      held.running.kill('SIGKILL');
      const killed = await held.running.ended;
      held.gate?.release();
      const { argv } = held;
      const env = phase === 'connecting' ? place.env : held.env;
      const promptId = place.emulator.ledger.jobs.at(-1)?.promptId;
      const problems: string[] = [];
      for (let times = 0; times < 2; times += 1) {
        const again = runCommand({ main, argv, env });
        // What would go on for ever is left once it is watched.
        if (code === 130 && (await again.waitForText('"state"'))) again.kill('SIGINT');
        problems.push(...differs(`run ${times + 2}`, await again.ended, code));
        const [first] = jsonLinesOf(again.stdout());
        if (code !== 8)
          problems.push(...differs('watches', [first?.['promptId'], first?.['recorded']], [promptId, true]));
      }
      return [
        ...differs('the first run', killed, 'SIGKILL'),
        ...problems,
        ...differs('jobs', place.emulator.ledger.jobs.length, jobs),
        ...differs('submissions', place.submissions(), jobs),
        ...differs('interrupts', place.interrupts(), 0),
        // The second run saves what the killed one did not, and the third one finds it there.
        ...(phase === 'downloading' ? differs('files', (await place.saved()).length, 1) : []),
      ];
    },
  }));
