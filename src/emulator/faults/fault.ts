import type { AccountFault } from './account-fault.js';
import type { EventFault } from './event-fault.js';
import type { HttpFault } from './http-fault.js';
import type { JobFault } from './job-fault.js';
import type { RestFault } from './rest-fault.js';
import type { SocketFault } from './socket-fault.js';
import type { StorageFault } from './storage-fault.js';

/**
 * One thing that goes wrong, as data that JSON can hold (docs/guide/testing.md).
 *
 * The same faults with the same seed do the same to the same requests. Counting begins anew with `setFaults`.
 */
export type Fault = SocketFault | HttpFault | RestFault | StorageFault | EventFault | JobFault | AccountFault;
