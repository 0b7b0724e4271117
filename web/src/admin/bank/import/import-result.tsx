import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { buttonClasses } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { questionsWords } from '../bank-words.ts';
import type { Imported } from './use-import.ts';

/** What came of an import, and where the questions are. */
export function ImportResult({
  result: { added, duplicates, left },
  address,
}: {
  result: Imported;
  /** The filter of the bank that shows them. */
  address: URLSearchParams;
}) {
  return (
    <>
      <Notice
        tone="ok"
        role="status"
        icon={<Check />}
        title={questionsWords(added, 'was', 'were', 'imported')}
        action={
          <Link to={`/admin/questions?${address}`} className={buttonClasses('secondary', 'dense')}>
            Show questions
          </Link>
        }
      >
        {duplicates > 0 &&
          questionsWords(duplicates, 'is', 'are', 'in the bank already and left out.')}
      </Notice>
      {left.length > 0 && (
        <Notice tone="warn" title={questionsWords(left.length, 'was', 'were', 'not imported')}>
          <ul className="mt-1 grid gap-1">
            {left.map(({ title, reason }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles repeat, and the list is fixed
              <li key={i}>{`${title}: ${reason}`}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
