import type { Clock } from '../../../core/platform/platform.js';
import { defaultStallMs } from '../options.js';
import { namedSlots } from '../../../core/interop/slots.js';
import type { Refusal } from '../http/refusal.js';
import { restartableTimer } from '../streams/restartable-timer.js';

/** Lets each caller read a few files of the service at once, since a client has 64 connections for all of them. */
export interface FileTurns {
  /**
   * Makes an answer with the bytes of a file once its caller may read one more: who asked first comes first. The turn lasts until the answer was
   * read or left; one of which nothing is taken for `stallMs` is cut.
   */
  readonly run: (name: string, make: () => Promise<Response | Refusal>) => Promise<Response | Refusal>;
}

/** More than a page loads at once from one origin, and a quarter of the connections. */
const filesAtOnce = 16;

/** Makes {@link FileTurns}. */
export const fileTurns = (clock: Pick<Clock, 'after'>, stallMs = defaultStallMs): FileTurns => {
  const turns = namedSlots(filesAtOnce);
  const take = (name: string): Promise<() => void> =>
    new Promise((resolve) => {
      void turns.run(name, () => new Promise<void>((free) => resolve(free)));
    });
  return {
    run: async (name, make) => {
      const free = await take(name);
      try {
        const answer = await make();
        if (answer instanceof Response && answer.body !== null)
          return new Response(watched(answer.body, { clock, stallMs, ended: free }), answer);
        free();
        return answer;
      } catch (error) {
        free();
        throw error;
      }
    },
  };
};

interface Watch {
  readonly clock: Pick<Clock, 'after'>;
  readonly stallMs: number;
  /** Called when the body has ended, whatever ended it. */
  readonly ended: () => void;
}

/** The same bytes, as their reader takes them; a reader that takes nothing is cut. */
const watched = (
  body: NonNullable<Response['body']>,
  { clock, stallMs, ended }: Watch,
): NonNullable<Response['body']> => {
  const reader = body.getReader();
  const stall = restartableTimer(clock);
  const end = (): void => {
    stall.clear();
    ended();
  };
  const wait = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void =>
    stall.set(stallMs, () => {
      end();
      controller.error(new Error(`The reader took nothing for ${stallMs} ms.`));
      void reader.cancel().catch(() => undefined);
    });
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: wait,
      pull: async (controller) => {
        stall.clear();
        const { done, value } = await reader.read().catch((error: unknown) => {
          end();
          throw error;
        });
        if (done) {
          end();
          controller.close();
        } else {
          controller.enqueue(value);
          wait(controller);
        }
      },
      cancel: (reason) => {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
};
