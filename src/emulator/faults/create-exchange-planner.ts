import { effectOf } from './effect-of.js';
import { untouched, type ExchangePlan } from './exchange-plan.js';
import type { HttpFault } from './http-fault.js';
import type { RestFault } from './rest-fault.js';
import type { FaultMachine } from './fault-machine.js';
import { isRoute } from './is-route.js';

/** Plans exchanges of both origins; remembers what `lag` and `flicker` need. */
export const createExchangePlanner = (
  machine: FaultMachine,
): ((origin: 'api' | 'storage', method: string, url: URL) => ExchangePlan) => {
  let memory = new Map<string, number>();
  let epoch = machine.epoch();
  const count = (key: string): number => {
    const next = (memory.get(key) ?? 0) + 1;
    memory.set(key, next);
    return next;
  };
  return (origin, method, url) => {
    if (!machine.isArmed()) return untouched;
    if (epoch !== machine.epoch()) {
      epoch = machine.epoch();
      memory = new Map();
    }
    const struck = `${method} ${url.pathname}`;
    const faults =
      origin === 'storage'
        ? machine.struckBy(['storage'], struck, () => true)
        : machine.struckBy(
            ['rest', 'http'],
            struck,
            (fault) => isRoute(fault.route ?? '*', method, url.pathname) && isDue(fault, url, count),
          );
    return faults.reduce<ExchangePlan>(
      (plan, fault) => ({ ...plan, ...effectOf(fault, plan, url) }),
      untouched,
    );
  };
};

/** False for a read that finds what is there although such faults are about. */
const isDue = (fault: RestFault | HttpFault, url: URL, count: (key: string) => number): boolean => {
  if (fault.do === 'lag') return count(`lag ${fault.route} ${url.pathname}${url.search}`) <= fault.reads;
  return fault.do !== 'flicker' || count(`flicker ${fault.route} ${url.pathname}`) % 2 === 1;
};
