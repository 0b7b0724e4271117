import { Check, CircleHelp, TriangleAlert } from 'lucide-react';
import { receiptFacts } from '../../lib/receipt.ts';
import { Notice } from '../../ui/notice.tsx';
import type { Verdict } from './api.ts';

const icon = { 'aria-hidden': true, strokeWidth: 1.75 } as const;

/** The result in one sentence, and the receipt's content. */
export function VerdictNotice({ verdict }: { verdict: Verdict }) {
  const { content, matches } = verdict;
  if (!verdict.valid || content === null) {
    return (
      <Notice
        tone="bad"
        icon={<TriangleAlert {...icon} />}
        title="This receipt was not issued here."
      >
        It was not signed by this installation, or it was changed. Check that you copied all of it.
      </Notice>
    );
  }
  return (
    <div className="grid gap-4">
      {matches === false ? (
        <Notice
          tone="bad"
          icon={<TriangleAlert {...icon} />}
          title="The receipt is genuine, but the stored answers differ."
        >
          What is stored today is not what was confirmed. Show this receipt to the person who
          invited you.
        </Notice>
      ) : matches === null ? (
        <Notice tone="ok" icon={<CircleHelp {...icon} />} title="This receipt is genuine.">
          The answers themselves are no longer stored, so they cannot be compared.
        </Notice>
      ) : (
        <Notice tone="ok" icon={<Check {...icon} />} title="This receipt is genuine.">
          The stored answers are exactly the ones it confirms.
        </Notice>
      )}
      <dl className="rounded-lg border border-line bg-surface px-5 py-1.5">
        {receiptFacts(content).map(([label, value], index) => (
          <div
            key={label}
            className={`flex flex-wrap justify-between gap-x-4 gap-y-0.5 py-2 ${index > 0 ? 'border-t border-line' : ''}`}
          >
            <dt className="text-ink-2">{label}</dt>
            <dd className="code break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
