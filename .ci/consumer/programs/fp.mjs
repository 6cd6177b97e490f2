import { createClient } from 'promptwire';
import { startEmulator, textToImageWorkflow } from 'promptwire/emulator';
import { matchError, outputs, setInput, submit, withClient } from 'promptwire/fp';
import * as RTE from 'fp-ts/lib/ReaderTaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';

const emulator = await startEmulator({ speed: Infinity });
const workflow = textToImageWorkflow({ width: 64, height: 64, steps: 2 });
const paint = (nodeId) =>
  pipe(
    RTE.fromEither(pipe(workflow, setInput(nodeId, 'seed', 7))),
    RTE.flatMap(submit()),
    RTE.flatMapTaskEither(outputs),
    RTE.match(
      matchError({ UnknownNode: () => 'no such node' }, ({ message }) => message),
      (byNode) => Object.keys(byNode).join(),
    ),
    RTE.rightReaderTask,
    withClient(() => createClient(emulator)),
  );
console.log((await paint('3')()).right, (await paint('33')()).right);
await emulator.close();
