import { jsonBy } from './read-answer.js';
import { answerOf, type HttpClient, createHttpClient } from './http-client.js';
import {
  defer,
  filter,
  finalize,
  map,
  type MonoTypeOperatorFunction,
  type Observable,
  ReplaySubject,
  share,
  switchMap,
  takeUntil,
} from 'rxjs';
import { eventStream, type StreamPlace } from './event-stream.js';
import { feed, type Feed } from './feed.js';
import { createFollow } from './follow.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { createList } from './list.js';
import { createOutputs } from './outputs.js';
import { createPreviews } from './previews.js';
import type { Problem } from '../../core/protocol/problem.js';
import { roundedInApi, roundedInInputs } from '../../core/protocol/rounded-integers.js';
import type { Remote, RemoteOptions, RemoteRunOptions } from './remote.js';
import type { RemoteAsk } from './ask.js';
import type { RemoteConnection } from './connection.js';
import { type PageWorld, pageWorld } from '../../core/platform/page.js';
import type { StreamEvent } from './stream-event.js';
import { pauseWhileFrozen } from './pause-while-frozen.js';
import { createSubmit } from './submission.js';
import { submitAndFollow } from '../../core/interop/submit-and-follow.js';
import { callError } from '../../core/errors/call-error.js';
import { logConnection } from './log-connection.js';
import { readLogger } from '../../core/log/logger.js';
import { timerOn } from '../../core/platform/timer.js';
import { createTokens } from './tokens.js';
import { createUpload } from './upload.js';
import { writeExactJson } from '../../core/protocol/json/exact-json.js';
import { pathPart } from '../../core/protocol/path-part.js';

/**
 * Makes the page's half of a gateway: its jobs, watched by one stream, without a key and without a client.
 *
 * Throws `InvalidConfig` where `url` is no address. It opens nothing before something is watched. On a server, which renders the page, it has
 * no origin to default to: it is made there all the same, and what is asked of it without `url` ends with `InvalidConfig`.
 *
 * @example
 * ```ts
 * import { createRemote } from 'promptwire/remote';
 *
 * const remote = createRemote({ url: 'http://127.0.0.1:8189', token: () => fetch('/token').then((answer) => answer.text()) });
 * remote.runTemplate('picture', { prompt: 'a lighthouse' }).subscribe(({ phase, progress }) => console.log(phase, progress));
 * ```
 */
export const createRemote = (options: RemoteOptions = {}): Remote =>
  createRemoteIn(pageWorld(options.fetch), options);

/** Makes a {@link Remote} in a world of its own. */
export const createRemoteIn = (world: PageWorld, options: RemoteOptions): Remote => {
  const { lingerMs = 5_000 } = options;
  const tokens = createTokens(options.token, world.clock);
  const closed = new ReplaySubject<never>(1);
  const untilClosed = <A>(): MonoTypeOperatorFunction<A> => takeUntil(closed);
  const logger = readLogger(options.logger);
  const url = (): string => addressOf(options.url);
  if (options.url !== undefined) url();
  const open = createHttpClient(world, url, { ...options, logger }, tokens);
  const calls: HttpClient = {
    ...open,
    request: (request, read, how) => open.request(request, read, how).pipe(untilClosed()),
  };

  const connection = new ReplaySubject<RemoteConnection>(1);
  let isFailed = false;
  const report = (state: RemoteConnection): void => {
    isFailed = state._tag === 'failed';
    connection.next(state);
    logConnection(logger, state);
  };
  report({ _tag: 'idle' });
  const alone = eventStream(calls, world, tokens, report);
  // Only a page that shares its stream loads what that needs.
  const shared = async (account: string): Promise<Observable<StreamEvent>> => {
    const [tabs, { sharedStream }] = await Promise.all([world.tabs(), import('./shared-stream.js')]);
    if (tabs === undefined) return alone;
    const openFrom = (place: StreamPlace) => eventStream(calls, world, tokens, report, place);
    return sharedStream(openFrom, tabs, `promptwire ${open.addressOf('')} ${account}`, report);
  };
  const { account } = options;
  const events =
    account === undefined ? alone : defer(() => shared(account)).pipe(switchMap((stream) => stream));
  const news = feed(pauseWhileFrozen(world, events)).pipe(
    finalize(() => {
      if (!isFailed) report({ _tag: 'idle' });
    }),
    untilClosed(),
    share({
      connector: () => new ReplaySubject(1),
      resetOnRefCountZero: () => timerOn(world.clock, lingerMs, { background: true }),
    }),
  );
  const follow = createFollow(news, calls);
  const submit = createSubmit(calls, world);
  const ask: RemoteAsk = ({ json, ...request }, read) =>
    answerOf(
      calls.request(
        {
          ...request,
          ...(json !== undefined && { headers: jsonHeaders, body: writeExactJson(json) }),
        },
        jsonBy(read),
        calls.withRetries,
      ),
    );
  const cancel = (id: string): Promise<boolean> =>
    ask({ method: 'POST', path: `/jobs/${pathPart(id)}/cancel` }, (answer) =>
      isJsonObject(answer) && typeof answer['requested'] === 'boolean' ? answer['requested'] : undefined,
    );
  const run = (
    path: string,
    body: Readonly<Record<string, unknown>>,
    problems: () => readonly Problem[],
    runOptions: RemoteRunOptions = {},
  ) =>
    defer(() => {
      const rounded = problems();
      const states = submitAndFollow(
        () => submit({ path, body, options: runOptions }),
        follow,
        cancel,
        runOptions.onUnsubscribe,
      );
      return rounded.length === 0
        ? states
        : states.pipe(map((state) => ({ ...state, problems: [...(state.problems ?? []), ...rounded] })));
    }).pipe(untilClosed());

  return {
    run: (workflow, runOptions) =>
      run(workflowPath(runOptions), { workflow }, () => roundedInApi(workflow), runOptions),
    runTemplate: (name, inputs, runOptions) =>
      run(`/templates/${pathPart(name)}`, { inputs }, () => roundedInInputs(inputs), runOptions),
    follow,
    previews: createPreviews(news, calls, follow),
    list: createList(ask),
    ...{ cancel, ask, deleted: deletedIn(news) },
    // Only a page that shows servers loads what that needs.
    servers: defer(() => import('./servers.js')).pipe(
      switchMap(({ watchServers }) => watchServers(calls, world)),
      untilClosed(),
    ),
    upload: createUpload(calls),
    outputs: createOutputs(calls, world),
    connection: connection.asObservable(),
    close: () => {
      report({ _tag: 'closed' });
      connection.complete();
      closed.error(callError('Closed', { message: 'The remote is closed.', hint: 'Create a new remote.' }));
    },
  };
};

const deletedIn = (news: Observable<Feed>): Observable<string> =>
  news.pipe(
    map(({ deleted }) => deleted),
    filter((id) => id !== undefined),
  );

/** API v2 takes no webhook. */
const workflowPath = ({ webhook }: RemoteRunOptions = {}): string =>
  webhook === undefined ? '/api/v2/jobs' : '/jobs';

const jsonHeaders = { 'content-type': 'application/json' };

const addressOf = (url: string | undefined): string => {
  const page = typeof location === 'undefined' ? undefined : location;
  try {
    return new URL(url ?? page?.origin ?? '', page?.href).href;
  } catch (cause) {
    throw callError('InvalidConfig', {
      option: 'url',
      message: `The option \`url\` is no address: ${String(url)}.`,
      cause,
    });
  }
};
