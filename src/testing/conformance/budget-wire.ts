import { type Exchange, NotAllowed, type Wire, type WireRequest } from './wire.js';

/** What a run may do to the service. */
export interface Allowance {
  /** How many jobs it may make; with 0 it only reads. */
  readonly budget: number;
  /** Whether it may end all jobs of the account, as the statements on clearing and interrupting do. */
  readonly exclusive: boolean;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** A wire that keeps to an allowance, and knows the latest exchanges. */
export interface BudgetWire extends Wire {
  /** How many jobs were accepted so far. */
  readonly jobs: () => number;
  /** The latest exchanges since the last call, the newest last. */
  readonly taken: () => readonly Exchange[];
}

/** How many exchanges are told of a failure. */
const maxExchanges = 3;

/** Makes a wire that lets through what the allowance allows. */
export const budgetWire = ({ budget, exclusive, redact }: Allowance): BudgetWire => {
  let jobs = 0;
  let exchanges: Exchange[] = [];
  return {
    jobs: () => jobs,
    taken: () => {
      const latest = exchanges;
      exchanges = [];
      return latest;
    },
    permit: (request) => {
      const { method, path } = request;
      if (method === 'GET' || method === 'HEAD') return;
      if (budget === 0) throw new NotAllowed(`it sends ${method} ${bare(path)}, and this run only reads`);
      if (isSubmission(request) && jobs >= budget)
        throw new NotAllowed(
          `it needs a job, and ${jobs === 1 ? 'the one' : `the ${jobs}`} of the budget ran`,
        );
      if (endsOthers(request) && !exclusive)
        throw new NotAllowed('it would end jobs of others who use this account');
    },
    answered: (request, status, body) => {
      if (isSubmission(request) && status >= 200 && status < 300) jobs += 1;
      const sent = redact(`${request.method} ${request.path}`) + bodyOf(request.body, redact);
      exchanges = [...exchanges, { sent, came: redact(`${status} ${body}`) }].slice(-maxExchanges);
    },
  };
};

const isSubmission = ({ method, path }: WireRequest): boolean =>
  method === 'POST' && (bare(path) === '/api/prompt' || bare(path) === '/api/v2/jobs');

const endsOthers = ({ path, body }: WireRequest): boolean =>
  bare(path) === '/api/interrupt' ||
  (bare(path) === '/api/queue' && typeof body === 'object' && body !== null && 'clear' in body);

const bare = (path: string): string => path.split('?', 1).join();

const bodyOf = (body: unknown, redact: Allowance['redact']): string => {
  if (body === undefined) return '';
  if (body instanceof FormData) return ' (a form)';
  if (body instanceof Uint8Array) return ` (${body.length} bytes)`;
  return ` ${redact(JSON.stringify(body)).slice(0, 400)}`;
};
