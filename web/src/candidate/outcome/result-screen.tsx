import { type EndedAttempt, getEndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { type CandidateResult, getResult } from '@invigil/core/contract/review/releases';
import { endingText } from '@invigil/core/texts/detected';
import { t } from '@invigil/core/texts/i18n';
import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { formatDateTime } from '../../lib/format.ts';
import { zoneText } from '../../lib/moment-text.ts';
import { useSession } from '../../lib/person/session.tsx';
import { callEndpoint, sentenceOf } from '../../net/api.ts';
import { readUntilThere } from '../../net/retry.ts';
import { ResultView } from '../../question-view/result-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { CandidateBar } from '../candidate-bar.tsx';
import { useLeaving } from '../use-leaving.ts';
import { NotesAfterEnd } from './notes-after-end.tsx';
import { ReceiptCard } from './receipt-card.tsx';

/** /quiz/result: what is released of the result of the own attempt. */
export function ResultScreen() {
  const { account } = useSession();
  const { leave } = useLeaving();
  const [, navigate] = useLocation();
  const id = account?.attempt?.id ?? null;
  const { found: result, failed } = useOwn(id, readResult);
  const [isRecordOpen, setRecordOpen] = useState(false);
  const { found: ended } = useOwn(isRecordOpen ? id : null, readEnded);
  const title = t(/* heading */ 'result.title', 'Your result');
  return (
    <>
      <title>{`${title} · Invigil`}</title>
      <CandidateBar>
        <Button className="flex-none print:hidden" onClick={() => void leave()}>
          {t(/* a button */ 'result.signOut', 'Sign out')}
        </Button>
      </CandidateBar>
      <main className="mx-auto grid w-full max-w-180 grid-cols-[minmax(0,1fr)] gap-5 px-5 py-8 md:px-6">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div className="min-w-0">
            <h1 tabIndex={-1}>{title}</h1>
            {result !== null && <p className="text-md text-ink-2 wrap-anywhere">{result.title}</p>}
          </div>
          {result !== null && (
            <Button icon={<Printer />} className="print:hidden" onClick={() => window.print()}>
              {t(/* a button */ 'result.print', 'Print')}
            </Button>
          )}
        </div>
        {failed !== null && (
          <Notice
            tone="bad"
            role="alert"
            title={t('result.failed', 'Your result could not be loaded')}
          >
            {failed}
          </Notice>
        )}
        {account?.retake && (
          <Button
            className="justify-self-start print:hidden"
            onClick={() => navigate('/quiz/instructions')}
          >
            {t(/* the assessment; a button */ 'result.again', 'Take it again')}
          </Button>
        )}
        {result === null && failed === null && (
          <Notice tone="neutral" role="status" icon={<Spinner />}>
            {t('result.loadingResult', 'Loading your result...')}
          </Notice>
        )}
        {result !== null && (
          <>
            <ResultView result={result} />
            <p className="text-sm text-ink-3">
              {t(
                /* moment: a date and time with its time zone */ 'result.until',
                'You can open this page with the same one-time password until {moment}.',
                {
                  moment:
                    formatDateTime(result.until) +
                    zoneText(result.until, ended?.timeZone ?? account?.timeZone),
                },
              )}
            </p>
          </>
        )}
        {result !== null && ended === null && (
          <Button
            className="justify-self-start print:hidden"
            busy={
              isRecordOpen &&
              t(/* the button while the record is loading */ 'result.loading', 'Loading...')
            }
            onClick={() => setRecordOpen(true)}
          >
            {t(
              /* a button. record: what was detected and how the assessment ended */ 'result.showRecord',
              'Show receipt and record',
            )}
          </Button>
        )}
        {ended !== null && (
          <div className="print:hidden">
            {ended.ending && <p className="font-medium">{endingText(ended.ending)}</p>}
            <NotesAfterEnd participantId={ended.participantId} ended={ended} />
            <ReceiptCard receipt={ended.receipt} />
          </div>
        )}
      </main>
    </>
  );
}

const readResult = (id: string, signal: AbortSignal): Promise<CandidateResult> =>
  callEndpoint(getResult, { params: { id }, signal });

/** The record of the end: why, what was detected, the receipt. */
const readEnded = (id: string, signal: AbortSignal): Promise<EndedAttempt> =>
  callEndpoint(getEndedAttempt, { params: { id }, signal });

/** Read again by itself after a lost connection. */
function useOwn<T>(id: string | null, read: (id: string, signal: AbortSignal) => Promise<T>) {
  const [found, setFound] = useState<T | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  useEffect(() => {
    if (id === null) return;
    return readUntilThere((signal) => read(id, signal), {
      read(found) {
        setFailed(null);
        setFound(found);
      },
      failed: (cause) => setFailed(sentenceOf(cause)),
    });
  }, [id, read]);
  return { found, failed };
}
