// Runs programs of a playground beside the page, which ends it where a program does not end.
import { pictureOf } from './picture.js';
import { runProgram } from './run-program.js';

addEventListener('message', ({ data }: MessageEvent<string>) => {
  // The page counts its time from here: how long this script was on its way is no fault of the program.
  postMessage({ isStarted: true });
  runProgram(data).then(
    (played) => postMessage({ ...played, picture: pictureOf(played) }),
    (error: unknown) =>
      postMessage({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }),
  );
});
