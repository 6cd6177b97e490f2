// The page: a prompt becomes a job of the gateway, whose progress and picture are shown.
import { createRemote, progress } from 'promptwire/remote';
import { fromEvent, map, switchMap, tap } from 'rxjs';

const [form] = document.getElementsByTagName('form');
const [bar] = document.getElementsByTagName('progress');
const [words] = document.getElementsByTagName('output');
const [picture] = document.getElementsByTagName('img');
const [prompt] = document.getElementsByTagName('input');
if (!form || !bar || !words || !picture || !prompt) throw new Error('The page lacks an element.');

const remote = createRemote();

const show = async (id: string): Promise<void> => {
  const [output] = await remote.outputs(id);
  if (output === undefined) return;
  picture.src = await output.link();
  picture.hidden = false;
};

fromEvent(form, 'submit')
  .pipe(
    tap((event) => event.preventDefault()),
    map(() => prompt.value),
    switchMap((text) =>
      remote.runTemplate('picture', { prompt: text }, { onUnsubscribe: 'cancel' }).pipe(
        tap(({ phase, promptId, failure }) => {
          words.value = failure?.exceptionMessage ?? phase;
          if (phase === 'completed') show(promptId).catch((error: unknown) => (words.value = String(error)));
        }),
        progress(),
      ),
    ),
  )
  .subscribe({
    next: ({ value }) => (bar.value = value),
    error: (error: unknown) => (words.value = String(error)),
  });
