import { t } from '@invigil/core/texts/i18n';
import { Users } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** The server's sentence asks to reload; here both notes are already on the screen. */
export const staleNoteSentence = () =>
  t(
    /* it: a note */ 'record.staleNote.sentence',
    'Someone else has changed it. Both notes are shown.',
  );

/** Someone else changed the note: shows their text and the typed one. */
export function StaleNoteNotice({
  theirs,
  onTakeTheirs,
}: {
  theirs: string;
  onTakeTheirs(): void;
}) {
  return (
    <Notice
      tone="warn"
      role="alert"
      icon={<Users />}
      title={t('record.staleNote.title', 'Someone else has changed this note')}
    >
      {theirs === '' ? (
        <p>{t(/* someone else, the note */ 'record.staleNote.cleared', 'They cleared it.')}</p>
      ) : (
        <blockquote dir="auto" className="my-2 whitespace-pre-line">
          {theirs}
        </blockquote>
      )}
      <p>
        {t('record.staleNote.about', 'Your text is still here. Saving it replaces their note.')}
      </p>
      <div className="mt-2">
        <Button size="dense" onClick={onTakeTheirs}>
          {t('record.staleNote.useTheirs', 'Use their note')}
        </Button>
      </div>
    </Notice>
  );
}
