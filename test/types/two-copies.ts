/** A program with a copy of fp-ts of its own, of the oldest release that the package takes, composes calls and codecs as with one copy. */
import type { Client, Job, Outputs, ServiceError, Workflow } from 'promptwire';
import { workflowCodec } from 'promptwire/codecs';
import { matchError, outputs, submit } from 'promptwire/fp';
import * as Own from 'fp-ts-oldest/lib/TaskEither.js';
import * as OwnEither from 'fp-ts-oldest/lib/Either.js';
import * as OwnReader from 'fp-ts-oldest/lib/ReaderTaskEither.js';
import { pipe } from 'fp-ts-oldest/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Equal, Expect } from './equal.js';

export const outputsOf = (client: Client, workflow: Workflow) =>
  pipe(
    client.submit(workflow),
    Own.chain((job) => job.outputs),
  );

export const waiting = (client: Client) =>
  pipe(
    client.rest.queue(),
    Own.chain(({ running }) => TE.right(running.length)),
    TE.chain((count) => Own.right<ServiceError, number>(count)),
    Own.mapLeft(matchError({ Network: () => 'later' }, ({ hint }) => hint)),
  );

export const made = (workflow: Workflow) => pipe(submit()(workflow), OwnReader.chainTaskEitherK(outputs));

export const nodesOf = (value: unknown) =>
  pipe(
    workflowCodec.decode(value),
    OwnEither.map((workflow) => Object.keys(workflow)),
  );

export type Results = [
  Expect<Equal<ReturnType<typeof outputsOf>, Own.TaskEither<ServiceError, Outputs>>>,
  Expect<Equal<ReturnType<typeof waiting>, Own.TaskEither<string, number>>>,
  Expect<ReturnType<Client['submit']> extends Own.TaskEither<ServiceError, Job> ? true : false>,
  Expect<Own.TaskEither<ServiceError, Job> extends TE.TaskEither<ServiceError, Job> ? true : false>,
];
