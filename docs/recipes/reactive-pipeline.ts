// A prompt box: each new prompt cancels the job of the one before; previews appear while a job runs.
import { forPrompt, outputFiles, previews, progress, type JobState } from 'promptwire';
import { textToImageWorkflow } from 'promptwire/emulator';
import { concatMap, delay, distinctUntilChanged, filter, from, lastValueFrom } from 'rxjs';
import { map, of, share, switchMap, tap } from 'rxjs';
import { connect } from './service.js';

const { client, close } = await connect();

/** Typed prompts, too fast for the first job to finish. */
const prompts = from(['a forest', 'a forest at night', 'the ocean at sunset']).pipe(
  concatMap((prompt, index) => of(prompt).pipe(delay(index * 30))),
);

const jobs = prompts.pipe(
  tap((prompt) => console.log(`wish: ${prompt}`)),
  map((prompt) => textToImageWorkflow({ prompt, steps: 8, width: 256, height: 256 })),
  switchMap((workflow) => client.run(workflow, { onUnsubscribe: 'cancel' })),
  share(),
);

// The previews of all jobs arrive on one socket: only those of the job that runs now are shown. A page would paint them.
const ownFrames = jobs.pipe(
  map(({ promptId }) => promptId),
  distinctUntilChanged(),
  filter((promptId) => promptId !== ''),
  switchMap((promptId) => client.frames.pipe(forPrompt(promptId))),
);
const pictures = ownFrames.pipe(previews()).subscribe(({ promptId, mediaType, image }) => {
  console.log(`preview of ${promptId ?? 'the only job'}: ${mediaType}, ${image.length} bytes`);
});
const bar = jobs.pipe(progress()).subscribe(({ value, timeLeftMs }) => {
  console.log(
    `${Math.round(value * 100)} %${timeLeftMs === undefined ? '' : `, ${Math.round(timeLeftMs)} ms left`}`,
  );
});

const isDone = ({ phase }: JobState): boolean => phase === 'completed';
const { outputs } = await lastValueFrom(jobs.pipe(filter(isDone)));
console.log(
  'done:',
  outputFiles(outputs).map(({ filename }) => filename),
);

pictures.unsubscribe();
bar.unsubscribe();
await close();
