import type { EndFacts } from './end-facts.js';
import { isBare } from './job-end.js';

/** How often the jobs API is asked, while it gives no answer, for the number of outputs or for a reason. */
export const maxDetails = 5;
/** After so many reads the rest of REST is asked as well, while the record still trails. */
const readsBeforeDoubt = 4;

/** The requests for a job that has ended, so far. */
export interface Asked {
  /** Answered reads of the record. */
  reads: number;
  /** Questions to the jobs API. */
  details: number;
  /** After how many reads the jobs API was asked last. */
  detailAt: number;
  /** After how many reads the status was asked last. */
  statusAt: number;
}

/** What the service can be asked beside the record. */
export interface QuestionOptions {
  /** Whether it has a jobs API, as far as that is known. */
  readonly detailsAreThere: boolean;
  /** Whether its records appear whole, at the end only. */
  readonly recordsAppearWhole: boolean;
  /** Whether the record is late, so that nothing is left but to ask. */
  readonly isDue: boolean;
}

/** The next question that is worth a request: to the jobs API (`detail`) or for the status; undefined if the record is to be read again. */
export const nextQuestion = (
  facts: EndFacts,
  asked: Asked,
  { detailsAreThere, recordsAppearWhole, isDue }: QuestionOptions,
): 'detail' | 'status' | undefined => {
  const { isUnconfirmed, record } = facts;
  const mayAsk = detailsAreThere && asked.detailAt < asked.reads;
  if (mayAsk && lacksDetail(facts) && asked.details < maxDetails) return 'detail';
  // A record that says how the job ended, in a word that may mean two things, will say no more.
  if (isUnconfirmed && record?.phase !== undefined && asked.statusAt === 0) return 'status';
  if (!isDue && asked.reads % readsBeforeDoubt > 0) return undefined;
  return questionInDoubt(facts, asked, mayAsk && !recordsAppearWhole, isDue && !recordsAppearWhole);
};

/** Whether the number of outputs, or the reason of a failure, is missing. */
const lacksDetail = ({ end, verdict }: EndFacts): boolean =>
  end.phase === 'completed' ? verdict === 'uncounted' : isBare(end);

/** What else may tell of a job whose record trails. */
const questionInDoubt = (
  { end, isUnconfirmed, isRecordMissing }: EndFacts,
  asked: Asked,
  mayAskDetail: boolean,
  mayLackRecord: boolean,
): 'detail' | 'status' | undefined => {
  if (mayAskDetail && (end.phase === 'completed' || isBare(end))) return 'detail';
  const isDoubtful = isUnconfirmed || (mayLackRecord && isRecordMissing);
  if (isDoubtful && asked.statusAt < asked.reads) return 'status';
  return isUnconfirmed && mayAskDetail ? 'detail' : undefined;
};
