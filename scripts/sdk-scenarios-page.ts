import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { allScenarios } from '../test/sdk/all-scenarios.js';
import { leftOutOfGateway, reasonToLeaveOut, upstreamDialects } from '../test/sdk/gateway-left-out.js';
import type { Scenario } from '../test/sdk/scenario.js';

/** Where the table of the scenarios is. */
export const sdkScenariosFile = new URL('../docs/sdk-scenarios.md', import.meta.url);

/** The page of the scenarios, from their list. */
export const sdkScenariosPage = async (): Promise<string> => {
  const path = fileURLToPath(sdkScenariosFile);
  return format(head + allScenarios.map(lineOf).join('\n') + gateway + leftOut(), {
    ...(await resolveConfig(path)),
    filepath: path,
  });
};

const lineOf = ({ number, title, by, play, long }: Scenario): string =>
  `| ${number} | ${title.replaceAll('|', '\\|')} | ${players[by]} | ${placeOf(play !== undefined, long !== undefined)} | ${throughGateway(number)} |`;

const throughGateway = (number: number): string => {
  const dialects = upstreamDialects.filter((dialect) => reasonToLeaveOut(number, dialect) === undefined);
  return dialects.length === upstreamDialects.length ? 'all' : dialects.join(', ') || 'none';
};

const leftOut = (): string =>
  Object.entries(leftOutOfGateway)
    .flatMap(([number, reasons]) => {
      const dialects = new Map<string, string[]>();
      for (const [dialect, reason] of Object.entries(reasons))
        dialects.set(reason, [...(dialects.get(reason) ?? []), dialect]);
      return [...dialects].map(([reason, names]) => `| ${number} | ${names.join(', ')} | ${reason} |`);
    })
    .join('\n');

const players: Readonly<Record<Scenario['by'], string>> = {
  sdk: 'SDK',
  fetch: '`fetch`',
  'sdk and fetch': 'SDK, `fetch`',
};

const placeOf = (inTests: boolean, isLong: boolean): string => {
  if (!isLong) return 'tests';
  return inTests ? 'tests; the long part on the board' : 'board';
};

const head = `# A client that others wrote

Our client and our emulator could agree on a mistake. So the vendor's TypeScript SDK, \`@comfyorg/sdk\` 0.1.9, unmodified and as it is published,
plays these scenarios against the emulator of [API v2](protocol.md#12-api-v2). Plain \`fetch\` plays what this version of the SDK has no
call for, and what only raw answers show. The SDK's own zod schemas, which it exports and never applies, read every JSON answer and every
event on the way.

\`npx vitest run test/sdk\` plays the tests, \`npm run scoreboard -- outside-judge\` all 52, and \`npm run replay -- outside-judge --seed 20\` one of them. The
scenarios (\`test/sdk/scenarios\`) are data and know no emulator: another server takes a \`SdkTarget\` of its own (\`test/sdk/target.ts\`).
\`npm run generate\` writes this page from their list.

The other way round, our client of API v2 plays against a small server that is made of the published description alone
(\`test/helpers/published-v2\`).

The last column names the dialects over which the [gateway](guide/gateway.md) passes the same scenario.

| # | scenario | played by | in | through the gateway over |
| --- | --- | --- | --- | --- |
`;

const gateway = `

## Left out of the gateway

\`test/sdk/gateway.test.ts\` plays the tests against the gateway over an emulator of each dialect. What a dialect can't carry:

| # | over | why |
| --- | --- | --- |
`;
