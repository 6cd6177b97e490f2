import { eventually } from './eventually.js';

/** What of the network this process holds. */
const held = (): number =>
  process
    .getActiveResourcesInfo()
    .filter((name) => /^(?:TCP|TLS|Pipe)?(?:Socket|Server|Connect)Wrap$/u.test(name)).length;

/** Counts open connections and servers; the result says which were left over since, once they had time to go. */
export const watchHandles = (): (() => Promise<readonly string[]>) => {
  const before = held();
  return async () => {
    await eventually(() => held() <= before, 5_000);
    const left = held() - before;
    return left > 0 ? [`I7 ${left} connections or servers of the process are left`] : [];
  };
};
