import type { Dialect } from '../../src/index.js';

/** The dialects behind the gateway. */
export const upstreamDialects: readonly Dialect[] = ['cloud', 'local', 'v2'];

const everywhere = (reason: string): Readonly<Record<Dialect, string>> => ({
  cloud: reason,
  local: reason,
  v2: reason,
});

const noWord = 'only API v2 has a word for a deployment that starts; here a submission is refused or taken';

/** Why the gateway does not play a scenario over a service of one dialect; what is not listed here passes. */
export const leftOutOfGateway: Readonly<Record<number, Partial<Record<Dialect, string>>>> = {
  7: { cloud: noWord, local: noWord },
  9: {
    cloud:
      'the service takes no id of the caller: the job runs once, and its status here is `failed`, `submission_outcome_unknown`',
    v2: 'the service says that a key is used, and not by which job: it runs once, and its status here is `failed`, `submission_outcome_unknown`',
  },
  32: { local: 'an engine runs one job at a time, so a running job has no neighbour' },
  42: { cloud: 'the service takes no upload above 50 MiB, and the gateway passes its refusal on' },
  45: everywhere('the gateway sends the bytes itself and never redirects'),
};

/** Why a scenario is left out over one dialect; undefined where the gateway plays it. */
export const reasonToLeaveOut = (scenario: number, dialect: Dialect): string | undefined =>
  leftOutOfGateway[scenario]?.[dialect];
