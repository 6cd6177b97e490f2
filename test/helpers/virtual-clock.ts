export { type VirtualClock, virtualClock } from '../../src/testing/virtual-clock.js';
