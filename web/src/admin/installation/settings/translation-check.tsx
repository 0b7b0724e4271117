import { zodResolver } from '@hookform/resolvers/zod';
import {
  checkTranslation,
  getInstitution,
  readTranslation,
  type Translation,
} from '@invigil/core/contract/installation/institution';
import { isRightToLeft } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { LANGUAGES } from '@invigil/core/texts/languages';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formatDate } from '../../../lib/format.ts';
import { callEndpoint } from '../../../net/api.ts';
import { endpointQuery, replaceCached } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toast.ts';
import { showFailure } from '../../data/show-failure.ts';
import { FormDialog, fieldIn } from '../../parts/dialogs.tsx';
import { Loaded } from '../../parts/loaded.tsx';

/** Elements, values and forms of plurals, whose letters are Latin and would turn a line from right to left. */
const MARKUP = /(<\/?\w+>|\{\w+\}|\{\w+, \w+,|[=\w]+ \{|\}+)/;

/** How far each translation can be trusted, and a way to record that somebody has read it. */
export function TranslationChecks({ translations }: { translations: readonly Translation[] }) {
  const [checking, setChecking] = useState<Translation>();
  return (
    <dl className="grid gap-2">
      {translations.map((translation) => (
        <div key={translation.language} className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <dt className="w-40">
            <bdi lang={translation.language} translate="no">
              {LANGUAGES[translation.language]}
            </bdi>
          </dt>
          <dd className="flex min-w-0 flex-1 basis-60 flex-wrap items-center justify-between gap-x-4 gap-y-1 text-ink-2">
            {stateText(translation)}
            <Button size="dense" onClick={() => setChecking(translation)}>
              {t(
                /* a button: opens the texts and a field for who has read them */
                'translation.check',
                'Check texts',
              )}
            </Button>
          </dd>
        </div>
      ))}
      {checking !== undefined && (
        <TranslationCheck translation={checking} onClose={() => setChecking(undefined)} />
      )}
    </dl>
  );
}

function stateText({ check, version }: Translation): string {
  if (check === undefined) {
    return t(/* of a language that nobody has checked */ 'translation.preview', 'Preview');
  }
  const values = { name: isolated(check.checkedBy), day: formatDate(check.checkedAt) };
  return check.version === version
    ? t(
        /* {name} is a person, {day} a date */ 'translation.checked',
        'Checked by {name} on {day}',
        values,
      )
    : t(
        'translation.changed',
        'Preview: checked by {name} on {day}, but its texts have changed since then',
        values,
      );
}

/** The texts that candidates are judged by, beside their English, and a field for who has read them. */
function TranslationCheck({
  translation: { language, version, check },
  onClose,
}: {
  translation: Translation;
  onClose(): void;
}) {
  const client = useQueryClient();
  const params = { language };
  const read = useQuery(endpointQuery(readTranslation, { params }));
  const form = useForm({
    resolver: zodResolver(checkTranslation.body),
    defaultValues: { version, checkedBy: check?.checkedBy ?? '' },
  });
  const store = async (checkedBy: string | null) => {
    const saved = await callEndpoint(checkTranslation, { params, body: { version, checkedBy } });
    await replaceCached(client, endpointQuery(getInstitution, {}).queryKey, saved);
  };
  const removal = useMutation({
    mutationFn: () => store(null),
    onSuccess() {
      toast({ title: t('translation.removed', 'Record of the check removed') });
      onClose();
    },
    onError: (error) => showFailure(t('translation.failed', 'Failed to record the check'), error),
  });
  return (
    <FormDialog
      form={form}
      size="wide"
      title={t(
        /* {language} is the name of a language, in itself */ 'translation.title',
        'Check of {language}',
        { language: isolated(LANGUAGES[language]) },
      )}
      description={t(
        'translation.lead',
        'Somebody who speaks the language reads these texts: candidates agree to them and are judged by them. Braces hold what is filled in. Version {version}.',
        { version },
      )}
      submitLabel={t(/* a button */ 'translation.record', 'Record check')}
      busyLabel={t('translation.recording', 'Recording…')}
      failed={t('translation.failed', 'Failed to record the check')}
      onClose={onClose}
      onSubmit={async ({ checkedBy }) => {
        await store(checkedBy);
        return { title: t('translation.saved', 'Check recorded') };
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-60 flex-1">
          <TextField
            label={t('translation.checkedBy', 'Who has read them')}
            required
            {...fieldIn(form, 'checkedBy')}
          />
        </div>
        {check !== undefined && (
          <Button
            busy={removal.isPending && t('translation.removing', 'Removing…')}
            onClick={() => removal.mutate()}
          >
            {t(
              /* a button: the language is a preview again */ 'translation.remove',
              'Remove record',
            )}
          </Button>
        )}
      </div>
      <Loaded
        read={read}
        failure={t('translation.loadFailed', 'Failed to load the texts')}
        loading={t('translation.loading', 'Loading texts...')}
      >
        {({ texts }) => (
          <dl className="grid gap-3">
            {texts.map(({ id, english, text }) => (
              <div
                key={id}
                className="grid gap-x-6 gap-y-1 border-t border-line pt-3 md:grid-cols-2"
              >
                <dt lang="en" dir="ltr" className="text-ink-2" translate="no">
                  {english}
                </dt>
                <dd lang={language} dir={isRightToLeft(language) ? 'rtl' : 'ltr'} translate="no">
                  {text.split(MARKUP).map((part, i) =>
                    i % 2 === 0 ? (
                      part
                    ) : (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay where they are.
                      <bdi key={i} dir="ltr" className="text-ink-3">
                        {part}
                      </bdi>
                    ),
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
    </FormDialog>
  );
}
