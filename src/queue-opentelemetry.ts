export { observeQueues, type ObserveQueuesOptions } from './server/queue/telemetry/open-telemetry.js';
