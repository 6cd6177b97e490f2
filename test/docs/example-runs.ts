/** How an example is run, and what it says then. */
export interface ExampleRun {
  /** What is there before the example begins, as in a page. */
  readonly before?: string;
  /** What is asked of the example's own names; absent where the example is a whole program. */
  readonly then?: string;
  readonly says: RegExp;
  /** It is made of tests of `node:test`, which run once all are known: those of all examples share a process of their own. */
  readonly isTest?: boolean;
}

/** An example that another test runs, which takes its text from the guide. */
export interface RunElsewhere {
  readonly runBy: string;
}

/** A gateway of one job, which has ended when the page comes. */
const gatewayOfOneJob = `
  const $state = {
    ...{ promptId: 'a', phase: 'completed', progress: 1, nodes: {}, outputs: {}, outputsComplete: true },
    ...{ nodeErrors: {}, warnings: [] },
  };
  const $line = JSON.stringify({ id: '1', event: 'snapshot', data: { jobs: [{ id: 'a', state: $state }] } });
  const $events = () =>
    new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode($line + '\\n')) });
  globalThis.fetch = async (url) =>
    url.endsWith('/events') ? new Response($events()) : Response.json({ id: 'a' }, { status: 201 });`;

/** Previews, and then the outputs. */
const fourOperators = /^image\/jpeg \d+\n[^]*\[ '9'(?:, '10')? \]$/mu;

/** The run of an example whose last test has this name. */
const passes = (name: string): ExampleRun => ({
  says: new RegExp(String.raw`^ok \d+ - ${name}$`, 'mu'),
  isTest: true,
});

/** The runs of all examples of README and guide, in their order. */
export const exampleRuns: Readonly<Record<string, readonly (ExampleRun | RunElsewhere)[]>> = {
  'README.md': [
    { says: /^completed 100 %\nSave .*\/outputs\/Save-1(?:~\d+)?\.png$/mu },
    { says: fourOperators },
    { then: 'await main($workflow());', says: /^completed 1\n[^]*filename: 'promptwire_\d{5}_.png'/mu },
    {
      then: `
        const $ended = new Promise((resolve) => {
          console.log = (phase, progress, outputs) => phase === 'completed' && resolve(outputs);
        });
        requests.next($workflow());
        process.stdout.write(Object.keys(await $ended).join());
        await client.close();`,
      says: /^9,10$/u,
    },
    {
      before: `
        process.env.WEB_TOKEN = 'the-token-of-a-test';
        process.env.PROMPTWIRE_BASE_URL = process.env.SERVICE_URL;`,
      then: `
        const $answer = await handle(
          new Request('http://127.0.0.1/api/v2/jobs', {
            method: 'POST',
            headers: { authorization: 'Bearer the-token-of-a-test', 'content-type': 'application/json' },
            body: JSON.stringify({ workflow: $workflow() }),
          }),
        );
        console.log($answer.status, (await handle(new Request('http://127.0.0.1/jobs'))).status);
        await gateway.close();
        await client.close();`,
      says: /^201 401$/mu,
    },
    { before: gatewayOfOneJob, says: /^submitting 0\ncompleted 1$/mu },
  ],
  'docs/guide/agents.md': [{ says: /^401$/mu }],
  'docs/guide/api-v2.md': [
    {
      then: `
        console.log((await $lastValueFrom(client.run($workflow()))).phase);
        await client.close();`,
      says: /^completed$/mu,
    },
  ],
  'docs/guide/browser.md': [
    { says: /^idle$/mu },
    { before: `globalThis.location = { origin: 'http://127.0.0.1:8188' };`, says: /^idle$/mu },
    { runBy: 'test/integration/vite-proxy.test.ts' },
  ],
  'docs/guide/webhooks.md': [
    {
      before: `process.env.WEB_TOKEN = 'the-token-of-a-test';`,
      then: `
        const $asked = { headers: { authorization: 'Bearer the-token-of-a-test' } };
        console.log((await gateway.fetch(new Request('http://gateway.test/webhooks', $asked))).status);
        await gateway.close();
        await client.close();`,
      says: /^404$/mu,
    },
    {
      then: `console.log((await receive(new Request('http://receiver.test', { method: 'POST', body: '{}' }))).status);`,
      says: /^400$/mu,
    },
  ],
  'docs/guide/gateway.md': [
    {
      before: `process.env.PORT = '0'; process.env.WEB_TOKEN = 'the-token-of-a-test';`,
      then: `
        const { once: $once } = await import('node:events');
        if (!server.listening) await $once(server, 'listening');
        const $at = 'http://127.0.0.1:' + server.address().port;
        const $answer = await fetch($at + '/api/v2/jobs', {
          method: 'POST',
          headers: { authorization: 'Bearer the-token-of-a-test', 'content-type': 'application/json' },
          body: JSON.stringify({ workflow: $workflow() }),
        });
        console.log($answer.status, (await fetch($at + '/jobs')).status);
        process.emit('SIGTERM');
        server.closeAllConnections();`,
      says: /^201 401$/mu,
    },
    {
      before: `process.env.WEB_TOKEN = 'the-token-of-a-test';`,
      then: `
        console.log((await gateway.fetch(new Request('http://127.0.0.1/healthz'))).status);
        await gateway.close();
        await client.close();`,
      says: /^200$/mu,
    },
  ],
  'docs/guide/many-machines.md': [
    { then: 'console.log(typeof make, typeof work);', says: /^function function$/mu },
    {
      then: 'console.log(typeof bring, typeof table.subscribe, typeof rest); await engines.close();',
      says: /^function function function$/mu,
    },
    { then: 'console.log(typeof addPhoto);', says: /^function$/mu },
    { then: 'console.log(typeof queue.add); await queue.close();', says: /^function$/mu },
    { then: 'console.log(typeof openGateway);', says: /^function$/mu },
    { then: 'console.log(typeof makeAll);', says: /^function$/mu },
  ],
  'docs/guide/codecs.md': [
    {
      then: `console.log(runningNode('{"type":"executing","data":{"node":"3"}}'), runningNode('{"type":"logs"}'));`,
      says: /^3 undefined$/mu,
    },
    {
      then: `
        console.log(promptIdOf({ order: 1, answer: { prompt_id: 'a' } }), promptIdOf({ order: 1 }));
        console.log(isRefusal({ code: 'NOT_FOUND', message: 'no job' }), isRefusal({}));`,
      says: /^a not a row: \d+ problems\ntrue false$/mu,
    },
    {
      then: 'console.log(problemsOf({ 3: { class_type: 7, inputs: {} } }), problemsOf($workflow()));',
      says: /^\[ '3\.class_type: .*' \] \[\]$/mu,
    },
  ],
  'docs/guide/conformance.md': [{ says: /7 passed, 0 failed, 0 skipped; 0 jobs$/mu }],
  'docs/guide/connection.md': [
    { says: /^$/u },
    { then: 'banner($client); await $completed();', says: /^$/u },
    { then: 'warn($client);', says: /^submissions go out$/mu },
  ],
  'docs/guide/errors.md': [
    {
      then: `console.log(await submit($client, {}), typeof (await submit($client, $workflow())));`,
      says: /^undefined string$/mu,
    },
    {
      // Other examples run beside it, so jobs may wait.
      then: 'console.log(typeof (await $lastValueFrom(queueWithRetry($client))).pending.length);',
      says: /^number$/mu,
    },
  ],
  'docs/guide/files.md': [
    {
      then: `
        const $graph = { 10: { class_type: 'LoadImage', inputs: { image: '' } } };
        console.log((await withPicture($client, $graph, 'workflow_api.json')()).right[10].inputs.image);`,
      says: /^[0-9a-f]{64}\.json$/mu,
    },
    {
      then: `
        const $png = $outputFiles((await $completed()).outputs)[0];
        const { files: $files } = await $lastValueFrom($client.download([$png], '.'));
        console.log(await inpaintInput($client, $files[0].path, $files[0].path));`,
      says: /\.png$/mu,
    },
    {
      then: 'console.log(results(await $completed()));',
      says: /nodeId: '9',\s+kind: 'image'/u,
    },
    {
      then: 'console.log((await save($client, await $completed())).files.length);',
      says: /^1$/mu,
    },
    {
      then: 'await saveNamed($client, $workflow(), await $completed());',
      says: /^(?:\d{4}-\d\d-\d\d|nodate)-Save-\d+-1\.png Save image \d+$/mu,
    },
    {
      then: `
        const [$file] = $outputFiles((await $completed()).outputs);
        console.log((await bytesOf($client, $file)).subarray(1, 4).toString());`,
      says: /^80,78,71$/mu,
    },
  ],
  'docs/guide/fp.md': [
    {
      then: `
        const $graph = { ...$workflow(), 10: { class_type: 'LoadImage', inputs: { image: '' } } };
        $graph[11] = { class_type: 'SaveImage', inputs: { images: ['10', 0], filename_prefix: 'copy' } };
        const $png = $outputFiles((await $completed()).outputs)[0];
        const { files: $files } = await $lastValueFrom($client.download([$png], '.'));
        console.log((await main($files[0].path, $graph)()).right.every((path) => path.endsWith('.png')));`,
      says: /^true$/mu,
    },
    {
      then: 'console.log(await hasRoom({ client: $client, maxWaiting: 100 })());',
      says: /_tag: 'Right', right: true/u,
    },
    {
      then: 'console.log(await report($workflow())($client)(), await report({})($client)());',
      says: /^2 files The workflow has no nodes\./mu,
    },
  ],
  'docs/guide/first-steps.md': [
    { says: /^completed 100 %\nSave .*\/outputs\/Save-1(?:~\d+)?\.png$/mu },
    { says: fourOperators },
    { then: 'await client.close();', says: /^$/u },
    { says: /^0$/mu },
    { says: /\/outputs\/.+\.png$/mu },
    { says: /^text-to-image,image-to-image,inpaint,upscale,text-to-video,audio Right$/mu },
  ],
  'docs/guide/logging.md': [
    {
      then: `
        await $lastValueFrom(client.run($workflow()));
        void client.rest.queue();
        await client.close();`,
      says: /^POST \/api\/prompt: 200[^]*is completed\.[^]*never run: rest\.queue\./mu,
    },
    {
      then: "fromPino({ warn: (details, message) => console.log(message, details) }).warn('lost', { attempt: 1 });",
      says: /^lost \{ attempt: 1 \}$/mu,
    },
  ],
  'docs/guide/pool.md': [
    { then: 'await runOvernight([$workflow(1), $workflow(2)]);', says: /^1 127\.0\.0\.1:\d+ completed 1$/mu },
    {
      then: `
        console.log((await $lastValueFrom(pool.run($workflow()))).server);
        await pool.close();`,
      says: /^small$/mu,
    },
    {
      then: `
        console.log((await $lastValueFrom(pool.run($workflow()))).phase);
        await pool.close();`,
      says: /^completed$/mu,
    },
    {
      before: `
        import { createPool as $createPool } from 'promptwire/pool';
        const $pool = $createPool({
          servers: [{ baseUrl: 'http://127.0.0.1:8188', dialect: 'local', name: 'attic' }],
        });`,
      then: `
        table($pool);
        await update($pool);
        await $pool.close();`,
      says: /^attic unknown 0 run, 0 wait, 0 done, 0 failed\n[^]*Update the engine now\.$/mu,
    },
    {
      before: `process.env.WEB_TOKEN = 'the-token-of-a-test';`,
      then: `
        const $asked = { headers: { authorization: 'Bearer the-token-of-a-test' } };
        console.log((await gateway.fetch(new Request('http://gateway.test/servers', $asked))).status);
        await gateway.close();
        await pool.close();`,
      says: /^403$/mu,
    },
  ],
  'docs/guide/promises.md': [
    { then: 'await main($workflow());', says: /^completed 1\n[^]*\.png\n[^]*\/outputs\/.*\.png$/mu },
    {
      then: "await stop({ cancel: () => $toPromise($client.cancel('no-such-job')) }, 'a');",
      says: /no-such-job/mu,
    },
    {
      then: `
        const { files: [$png] } = await $lastValueFrom($client.download(await $completed(), '.'));
        const { openAsBlob: $open } = await import('node:fs');
        const $graph = { ...$workflow(), 11: { class_type: 'LoadImage', inputs: { image: 'a.png' }, _meta: { title: 'Load Image' } } };
        await paint(JSON.stringify($graph), await $open($png.path));`,
      says: /^Save image\/png .*\.png\n1$/mu,
    },
    {
      then: `
        covers($workflow(), 'a lighthouse').subscribe({
          next: ({ title, mediaType }) => console.log(title, mediaType),
          complete: () => void client.close(),
        });`,
      says: /^Save image\/png$/mu,
    },
  ],
  'docs/guide/forms.md': [
    {
      then: `
        const $definitions = await $toPromise($client.rest.objectInfo());
        const $filled = fill($workflow(), $definitions, { prompt: 'dusk', seed: 7 });
        console.log((await $completed($filled)).phase, $filled[6].inputs.text, $filled[3].inputs.seed);
        try { fill($workflow(), $definitions, { prompt: 1 }); } catch (error) { console.log(error.message); }`,
      says: /^prompt,seed\ncompleted dusk 7\nprompt,seed\nprompt takes a text, not 1\.\nseed is missing\.$/mu,
    },
    {
      then: `
        const $definitions = await $toPromise($client.rest.objectInfo());
        const $shown = [];
        showForm({ append: (label) => $shown.push(label.text) }, $workflow(), $definitions);
        console.log($shown.filter((text) => /seed|text|sampler_name/u.test(text)).length);`,
      before: `
        globalThis.Option = class { constructor(text) { this.value = text; } };
        globalThis.document = {
          createElement: () => ({ add() {}, setAttribute() {}, append(text) { this.text = text; } }),
        };`,
      says: /^4$/mu,
    },
  ],
  'docs/guide/frames.md': [
    {
      then: `
        const { decodeFrame: $decode } = await import('promptwire');
        console.log(describe($decode('{')), describe($decode('{"type":"executing","data":{"node":"3"}}')));`,
      says: /^malformed: .* node 3$/mu,
    },
    { says: /^Event Preview Malformed$/mu },
    { then: 'report($client); await $completed();', says: /^$/u },
  ],
  'docs/guide/iteration.md': [
    { then: 'await main($client, $workflow());', says: /^completed 1$/mu },
    {
      then: `
        const $preview = firstPreview($client);
        await $completed($workflow(2));
        console.log((await $preview).subarray(0, 2).toString());`,
      says: /^255,216$/mu,
    },
    {
      then: 'for await (const { line } of lines($client, [$workflow(), $workflow(3)])) console.log(line);',
      says: /"phase":"completed"/u,
    },
    {
      then: `console.log(await answer($client, $workflow(), new AbortController().signal).text());`,
      says: /^\{"phase":"completed","progress":1\}$/mu,
    },
    {
      then: `
        const $job = await $toPromise($client.submit($workflow()));
        for await (const line of lines($job, new AbortController().signal)) console.log(line);`,
      says: /"type":"execution_success"/u,
    },
    {
      then: `
        console.log((await $lastValueFrom(atMost($client, $workflow(), 30_000))).phase);
        console.log((await queueUnless($client, new EventTarget())())._tag);`,
      says: /^completed\nRight$/mu,
    },
  ],
  'docs/guide/jobs.md': [
    { then: 'await main($client, $workflow());', says: /^completed 1$/mu },
    {
      then: `
        const { Subject: $Subject } = await import('rxjs');
        const $requests = new $Subject();
        const $last = $lastValueFrom(latestOnly($client, $requests));
        $requests.next($workflow());
        $requests.complete();
        console.log((await $last).phase);`,
      says: /^completed$/mu,
    },
    {
      then: `
        const { startEmulator: $startEmulator } = await import('promptwire/emulator');
        const $cutting = await $startEmulator();
        $cutting.answerOnce('POST', '/api/prompt', { status: 200, afterCommit: true, cut: true });
        const $cut = $createClient($cutting);
        await leftBehind($cut, $workflow());
        await $cut.close();
        await $cutting.close();`,
      says: /^order 4711 \[/mu,
    },
    {
      then: 'console.log((await endOf($client, (await $completed()).promptId)).phase);',
      says: /^completed$/mu,
    },
    { then: 'await finish($client, (await $completed()).promptId);', says: /^completed$/mu },
    {
      then: `await new Promise((resolve) => batch($client, [$workflow(), $workflow(4)]).add(resolve));`,
      says: /^1 completed$/mu,
    },
    {
      then: `
        const $queue = (async function* () { yield $workflow(); })();
        console.log((await $lastValueFrom(untilSignal($client, $queue))).state.phase);`,
      says: /^completed$/mu,
    },
    { then: 'await stop($client, (await $completed()).promptId); console.log("asked");', says: /asked$/mu },
    {
      then: `
        const { startEmulator: $startEmulator } = await import('promptwire/emulator');
        const $listing = await $startEmulator({ profile: '2026-11', speed: 0.1 });
        const $lists = $createClient($listing);
        await $toPromise($lists.submit($workflow()));
        await show($lists);
        await $lists.close();
        await $listing.close();`,
      says: /^[\w-]{36} (?:pending|in_progress)$/mu,
    },
    {
      then: `console.log(await candidates($client, { candidates: ['a'], startedAt: Date.now() }));`,
      says: /^\[ 'a' \]$/mu,
    },
    {
      then: `console.log((await $toPromise(submitted($client, $workflow(), {}))).promptId);`,
      says: /^[\w-]{36}$/mu,
    },
  ],
  'docs/guide/local.md': [
    { then: 'await main($workflow());', says: /filename: 'promptwire_\d{5}_.png'/u },
    { says: /^idle$/mu },
  ],
  'docs/guide/migration.md': [
    {
      then: `
        const $graph = { ...$workflow() };
        console.log(await draw($graph), E.isLeft(setInput($graph, 'none', 'text', '')));
        await client.close();`,
      says: /^1$\n\[ '.*\.png' \] true$/mu,
    },
    {
      then: 'console.log((await pictures($workflow())).map(({ type }) => type));',
      says: /^\[ 'image\/png', 'image\/png' \]$/mu,
    },
    {
      then: `
        const $types = [];
        const $outputs = await script($workflow(5), (_, mediaType) => $types.push(mediaType));
        console.log(Object.keys($outputs), new Set($types));`,
      says: /^\[ '9', '10' \] Set\(1\) \{ 'image\/jpeg' \}$/mu,
    },
  ],
  'docs/guide/operators.md': [
    { then: 'await client.close(); console.log(typeof client.run);', says: /^function$/mu },
    {
      then: `
        const $job = await $toPromise($client.submit($workflow(5)));
        show($job, (image, mediaType) => console.log(mediaType));
        await $toPromise($job.outputs);`,
      says: /^image\/jpeg$/mu,
    },
    {
      then: 'console.log(await $lastValueFrom(watch($client, $workflow())));',
      says: /^completed$/mu,
    },
    {
      then: `
        const $end = '{"type":"execution_success","data":{"prompt_id":"a"}}';
        console.log(await $lastValueFrom(filesIn([$end], 'a')));`,
      says: /^\[\]$/mu,
    },
  ],
  'docs/guide/platform.md': [
    { then: 'console.log((await client.rest.queue()())._tag); await client.close();', says: /^Right$/mu },
    {
      then: 'console.log((await client.rest.queue()()).left.code); await client.close();',
      before: `
        const { createServer: $createServer } = await import('node:http');
        const $proxy = $createServer((_, response) => {
          response.writeHead(407).end();
          $proxy.close();
        });
        await new Promise((resolve) => $proxy.listen(0, '127.0.0.1', resolve));
        process.env.MY_PROXY = 'http://127.0.0.1:' + $proxy.address().port;`,
      says: /^EPROXY$/mu,
    },
    {
      then: `
        console.log((await $firstValueFrom(client.frames)).type);
        await client.close();`,
      says: /^status$/mu,
    },
    { then: 'await client.rest.queue()(); await client.close();', says: /^GET \/api\/queue 200 [\d.]+$/mu },
    { says: /^$/u },
  ],
  'docs/guide/remote.md': [
    { before: gatewayOfOneJob, says: /^ submitting 0\na completed 1$/mu },
    { says: /Function: check/u },
    { says: /Function: paint/u },
    { says: /^idle$/mu },
    { says: /Function: show/u },
  ],
  'docs/guide/test-your-app.md': [
    passes('a job waits, runs and completes'),
    passes('a failed job keeps what it had finished'),
    passes('a lost answer is not sent again'),
    { runBy: 'test/outside/chromium-mocks.test.ts' },
    passes('my program says which node failed'),
    {
      then: `
        const { createRemote: $createRemote } = await import('promptwire/remote');
        const { setupServer: $setupServer } = await import('msw/node');
        const $server = $setupServer(...handlers);
        $server.listen({ onUnhandledRequest: 'bypass' });
        const $remote = $createRemote({ url: 'https://app.example' });
        console.log((await $lastValueFrom($remote.run($workflow()))).phase);
        $remote.close();
        await gateway.close();
        await client.close();
        $server.close();`,
      says: /^completed$/mu,
    },
    { says: /^in_progress 2002ms completed \|$/mu },
    { says: /^completed$/mu },
  ],
  'docs/guide/testing.md': [
    passes('a workflow makes two pictures'),
    {
      then: 'const $slow = await slowHistory(); await $slow.close(); console.log("closed");',
      says: /^closed$/mu,
    },
    passes('a lost answer is not sent again'),
    passes('a job ends as it truly ended, on a bad line'),
    passes('the client waits for late outputs'),
    { says: /^\[ '9', '10' \]$/mu },
    { says: /^http:\/\/127\.0\.0\.1:\d+$/mu },
    passes('a picture is too large for the machine'),
    passes('a job ends well where its event stream is cut'),
    { says: /^completed$/mu },
  ],
  'docs/guide/validation.md': [
    {
      then: `check({ 1: { class_type: 'Gone', inputs: {} } }, {});`,
      says: /^refused$/mu,
    },
    { then: 'console.log(await canRun($client, $workflow()));', says: /^true$/mu },
    {
      then: `check({ nodes: [{ id: 1, type: 'Gone', properties: { cnr_id: 'gone-pack' } }] }, {});`,
      says: /^install gone-pack\nunknown refused$/mu,
    },
  ],
  'docs/guide/workflows-in-code.md': [
    { says: /^completed$/mu },
    {
      then: `
        const { writeFile: $writeFile } = await import('node:fs/promises');
        await $writeFile('workflow_api.json', JSON.stringify($workflow()));
        const $painted = await paint('dunes', 8);
        console.log($painted[6].inputs.text, $painted[3].inputs.seed, (await $completed($painted)).phase);`,
      says: /^dunes 8 completed$/mu,
    },
    { then: 'console.log((await $completed(paint("dunes", 8))).phase);', says: /^completed$/mu },
    {
      then: `
        const $finished = finish($workflow(), 128);
        console.log($finished[9].inputs.images, (await $completed($finished)).phase);`,
      says: /^\[ '20', 0 \] completed$/mu,
    },
    { says: /^LoadImage ImageScale SaveImage$/mu },
    {
      then: 'console.log((await $completed(variants([1, 2], $workflow()))).phase);',
      says: /^completed$/mu,
    },
    {
      then: `
        const { outputs: $outputs } = await $completed(variants([1, 2]));
        console.log($outputFiles($outputs).length);`,
      says: /^2$/mu,
    },
  ],
  'docs/guide/workflows.md': [
    { says: /^Api file$/mu },
    {
      then: `
        const $widgets = (...widgets_values) => ({ widgets_values, mode: 0 });
        await run({
          nodes: [
            { id: 1, type: 'EmptyAudio', ...$widgets(1), outputs: [{ name: 'AUDIO', type: 'AUDIO', links: [1] }] },
            { id: 2, type: 'SaveAudio', ...$widgets('sound'), inputs: [{ name: 'audio', type: 'AUDIO', link: 1 }] },
          ],
          links: [[1, 1, 0, 2, 0, 'AUDIO']],
          version: 0.4,
        });`,
      says: /^completed$/mu,
    },
    {
      then: `
        const { readFile: $readFile } = await import('node:fs/promises');
        const $png = $outputFiles((await $completed()).outputs)[0];
        const { files: $files } = await $lastValueFrom($client.download([$png], '.'));
        const $text = await dropped(new File([await $readFile($files[0].path)], 'picture.png'));
        console.log(JSON.parse($text)[3].class_type);`,
      says: /^KSampler$/mu,
    },
  ],
};
