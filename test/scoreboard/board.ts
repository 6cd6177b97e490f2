import type { DerivedFigure, Figure } from './figure.js';
import type { Group } from './records.js';
import { killedQueueOfOldEngine } from './killed-queue-of-old-engine.js';
import { killedQueueProcesses } from './killed-queue-processes.js';
import { damagedFolders } from './damaged-folders.js';
import { damagedRecords } from './damaged-records.js';
import { accountLimit } from './account-limit.js';
import { takeover } from './takeover.js';
import { storeAway } from './store-away.js';
import { endedQueueWorkers } from './ended-queue-workers.js';
import { lateSubscribers } from './late-subscribers.js';
import { fairTurns } from './fair-turns.js';
import { queueThroughput } from './queue-throughput.js';
import { sdkThroughTheGateway } from './sdk-through-the-gateway.js';
import { resumedStreams } from './resumed-streams.js';
import { manyReaders } from './many-readers.js';
import { loopTurns } from './loop-turns.js';
import { hostileCaller } from './hostile-caller.js';
import { stalledReaders } from './stalled-readers.js';
import { killedGateways } from './killed-gateways.js';
import { killedStores } from './killed-stores.js';
import { oneKeyOneJob } from './one-key-one-job.js';
import { secretsAndWalls } from './secrets-and-walls.js';
import { webhooks } from './webhooks.js';
import { watchedInAPage } from './watched-in-a-page.js';
import { randomFaultSchedules } from './random-fault-schedules.js';
import { silentConnections } from './silent-connections.js';
import { badNetworks } from './bad-networks.js';
import { noLeaks } from './no-leaks.js';
import { slowSubscriber } from './slow-subscriber.js';
import { hostileSizes } from './hostile-sizes.js';
import { hostileFileNames } from './hostile-file-names.js';
import { spoiledDownloads } from './spoiled-downloads.js';
import { noInternalAddresses } from './no-internal-addresses.js';
import { cleanProcesses } from './clean-processes.js';
import { faultCoverage } from './fault-coverage.js';
import { commandLine } from './command-line.js';
import { soak } from './soak.js';
import { plantedMutants } from './planted-mutants.js';
import { determinism } from './determinism.js';
import { manyLargeJobs } from './many-large-jobs.js';
import { outsideJudge } from './outside-judge.js';
import { eventOrders } from './event-orders.js';
import { randomCommands } from './random-commands.js';
import { hostileFrames } from './hostile-frames.js';
import { trueOutcomes } from './true-outcomes.js';
import { noDuplicateSubmissions } from './no-duplicate-submissions.js';
import { noSecretShown, secretCases } from './no-secret-shown.js';
import { generatedClouds, generatedEngines } from './generated-engines.js';
import { generatedWorkflows } from './generated-workflows.js';
import { poolFailures } from './pool-failures.js';
import { poolMakespan } from './pool-makespan.js';
import { poolProcesses } from './pool-processes.js';
import { poolSameStates } from './pool-same-states.js';
import { poolSize } from './pool-size.js';
import { honestTimeLeft } from './honest-time-left.js';
import { hostileGraphs } from './hostile-graphs.js';
import { hostileFiles } from './hostile-files.js';
import { hostileWorkflows } from './hostile-workflows.js';
import { validatorsAgree } from './validators-agree.js';
import { workflowsInCode } from './workflows-in-code.js';

const ofClient: readonly Figure[] = [
  outsideJudge,
  randomFaultSchedules,
  plantedMutants,
  soak,
  noLeaks,
  commandLine,
  badNetworks,
  generatedEngines,
  generatedClouds,
  eventOrders,
  noDuplicateSubmissions,
  randomCommands,
  hostileFrames,
  silentConnections,
  secretCases,
  spoiledDownloads,
  manyLargeJobs,
  hostileFileNames,
  determinism,
  honestTimeLeft,
  noInternalAddresses,
  slowSubscriber,
  hostileSizes,
];

const ofWorkflows: readonly Figure[] = [
  hostileGraphs,
  hostileFiles,
  hostileWorkflows,
  generatedWorkflows,
  validatorsAgree,
  workflowsInCode,
];

const ofGateway: readonly Figure[] = [
  sdkThroughTheGateway,
  resumedStreams,
  killedGateways,
  killedStores,
  damagedFolders,
  secretsAndWalls,
  oneKeyOneJob,
  webhooks,
  watchedInAPage,
  manyReaders,
  stalledReaders,
  loopTurns,
  hostileCaller,
];

// What mostly waits takes no place, but would begin only once those before it have one.
const ofQueue: readonly Figure[] = [
  damagedRecords,
  storeAway,
  takeover,
  killedQueueProcesses,
  killedQueueOfOldEngine,
  accountLimit,
  endedQueueWorkers,
  fairTurns,
  lateSubscribers,
  queueThroughput,
];

const ofPool: readonly Figure[] = [poolProcesses, poolMakespan, poolSize, poolSameStates, poolFailures];

/** The figures that are run, the longest first in each group. */
export const figures: readonly Figure[] = [...ofClient, ...ofWorkflows, ...ofGateway, ...ofQueue, ...ofPool];

/** The figures that are read from others. */
export const derivedFigures: readonly DerivedFigure[] = [
  faultCoverage,
  trueOutcomes,
  noSecretShown,
  cleanProcesses,
];

const idsOf = (list: readonly Pick<Figure, 'id' | 'isPart'>[]): readonly string[] =>
  list.filter(({ isPart }) => isPart !== true).map(({ id }) => id);

/** The figures of each group. `client` is the board itself; the others have runs of their own. */
export const groups: Readonly<Record<Group, readonly string[]>> = {
  client: [...idsOf(ofClient), ...idsOf(derivedFigures)],
  workflow: idsOf(ofWorkflows),
  gateway: idsOf(ofGateway),
  queue: idsOf(ofQueue),
  pool: idsOf(ofPool),
};
