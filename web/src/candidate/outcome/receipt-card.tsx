import { t } from '@invigil/core/texts/i18n';
import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { readReceipt, receiptFacts, receiptNumber } from '../../lib/receipt.ts';
import { saveFile } from '../../net/file-download.ts';
import { Button } from '../../ui/button.tsx';
import { Trans } from '../../ui/trans.tsx';

export function ReceiptCard({
  receipt,
  onUsed,
}: {
  receipt: { id: string; signed: string };
  /** The card is in use: stops a countdown. */
  onUsed?: () => void;
}) {
  const [said, setSaid] = useState('');
  const content = readReceipt(receipt.signed);
  const facts = content === null ? [receiptNumber(receipt.id)] : receiptFacts(content);
  const copy = async () => {
    onUsed?.();
    const done = await copyText(receipt.signed);
    setSaid(
      done
        ? t('receipt.copied', 'Receipt copied.')
        : t(
            /* this browser does not allow it */ 'receipt.notCopied',
            'Copying is not allowed here. Save the file instead.',
          ),
    );
  };
  const save = () => {
    onUsed?.();
    saveFile(
      new Blob([`${receipt.signed}\n`], { type: 'text/plain' }),
      `receipt-${receipt.id}.txt`,
    );
    setSaid(t('receipt.saved', 'Receipt saved as a file.'));
  };
  const title = t(/* heading */ 'receipt.title', 'Your receipt');
  return (
    <section
      aria-label={title}
      className="mt-4 rounded-lg border border-line bg-surface px-5 py-4 md:px-6"
    >
      <h2>{title}</h2>
      <p className="text-ink-2">
        {t('receipt.proof', 'Signed proof that we received your answers.')}{' '}
        <Trans
          id="receipt.anyoneCanCheck"
          message="Anyone can <link>check a receipt</link>."
          components={{
            link: (
              // biome-ignore lint/a11y/useAnchorContent: the words of the text are its content
              <a
                href="/receipt"
                target="_blank"
                rel="noopener"
                onClick={onUsed}
                className="font-medium text-accent-ink underline underline-offset-4"
              />
            ),
          }}
        />
      </p>
      <dl className="mt-2 grid gap-1">
        {facts.map(([label, value, kind]) => (
          <div key={label} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-ink-2">{label}</dt>
            <dd className={kind === 'code' ? 'code text-sm break-all' : 'font-medium'}>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button icon={<Copy />} onClick={() => void copy()}>
          {t(/* a button */ 'receipt.copy', 'Copy receipt')}
        </Button>
        <Button icon={<Download />} onClick={save}>
          {t(/* a button */ 'receipt.save', 'Save as file')}
        </Button>
      </div>
      <p role="status" className={said === '' ? 'sr-only' : 'mt-2 text-ink-2'}>
        {said}
      </p>
    </section>
  );
}
