import { zodResolver } from '@hookform/resolvers/zod';
import {
  checkPublicUrl,
  getInstitution,
  type Institution,
  InstitutionBody,
  putInstitution,
  readLogo,
} from '@invigil/core/contract/installation/institution';
import { addressProblem } from '@invigil/core/domain/public-address';
import { t } from '@invigil/core/texts/i18n';
import {
  ENGLISH_ALONE,
  LANGUAGE_TAGS,
  LANGUAGES,
  type Language,
} from '@invigil/core/texts/languages';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { fillForm } from '../../../lib/typed-since.ts';
import { callEndpoint, urlOf } from '../../../net/api.ts';
import { endpointQuery, replaceCached } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.ts';
import { storeImage } from '../../data/questions.ts';
import { showFailure } from '../../data/show-failure.ts';
import { fieldIn, useSubmit } from '../../parts/dialogs.tsx';
import { LoadedCard } from '../../parts/loaded.tsx';
import { StaleVersions, useRead } from '../../parts/stale-notice.tsx';
import { TranslationChecks } from './translation-check.tsx';

const INSTITUTION = endpointQuery(getInstitution, {});

export function InstitutionCard() {
  const institution = useQuery(INSTITUTION);
  return (
    <LoadedCard
      title={t(/* heading of a card */ 'settings.institution.title', 'Institution')}
      read={institution}
      failure={t('settings.institution.loadFailed', 'Failed to load the institution')}
      loading={t('settings.institution.loading', 'Loading institution...')}
      rows={10}
      keeps
    >
      {(stored) => (
        <>
          <InstitutionForm stored={stored} />
          <Logo stored={stored} />
          <OfferedLanguages stored={stored} />
        </>
      )}
    </LoadedCard>
  );
}

const emptyIsNull = (typed: unknown) =>
  typeof typed === 'string' && typed.trim() === '' ? null : typed;

/** The form as it is typed: an empty field means what the server is configured with. */
const Typed = z.object({
  name: z.preprocess(emptyIsNull, InstitutionBody.shape.name),
  timeZone: z.preprocess(emptyIsNull, InstitutionBody.shape.timeZone),
  publicUrl: z.preprocess(emptyIsNull, InstitutionBody.shape.publicUrl),
});

const valuesOf = ({ name, timeZone, publicUrl }: z.output<typeof Typed>) => ({
  name: name ?? '',
  timeZone: timeZone ?? '',
  publicUrl: publicUrl ?? '',
});

const partOf = ({ name, timeZone, publicUrl }: Institution) => ({ name, timeZone, publicUrl });

const wordsOf = ({ name, timeZone, publicUrl }: z.input<typeof Typed>) => ({
  [t(/* a field: of the institution */ 'portal.nameOfThing', 'Name')]: String(name),
  [t(/* a field: of the institution */ 'settings.institution.timeZone', 'Time zone')]:
    String(timeZone),
  [t(
    /* a field: where the portal is reached */ 'settings.institution.publicUrl',
    'Public address',
  )]: String(publicUrl),
});

function InstitutionForm({ stored }: { stored: Institution }) {
  const client = useQueryClient();
  const zonesId = useId();
  const { configured } = stored;
  const form = useForm({
    resolver: zodResolver(Typed),
    defaultValues: valuesOf(stored),
  });
  const { isDirty, isSubmitting } = form.formState;
  useUnsaved(isDirty);
  const shown = useRef(stored);
  const read = useRead(partOf(stored));
  const seen = useEffectEvent((next: Institution) => read.settle(partOf(next)));
  // Refetched on every visit: someone else may have changed it.
  useEffect(() => {
    if (shown.current === stored || isDirty) return;
    shown.current = stored;
    form.reset(valuesOf(stored));
    seen(stored);
  }, [form, stored, isDirty]);

  const submit = useSubmit(form, {
    failed: t('settings.institution.saveFailed', 'Failed to save the institution'),
    read,
    onSubmit: async (body) => {
      const sent = form.getValues();
      const saved = await callEndpoint(putInstitution, { body: { ...body, before: read.before } });
      shown.current = saved;
      read.settle(partOf(saved));
      fillForm(form, sent, valuesOf(saved));
      await replaceCached(client, INSTITUTION.queryKey, saved);
      // The dashboard and System Information name the zone.
      await client.invalidateQueries({ predicate: ({ queryKey }) => isOfZone(queryKey) });
      toast({ title: t('settings.institution.saved', 'Institution saved') });
    },
  });

  const address = Typed.shape.publicUrl.safeParse(form.watch('publicUrl'));
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4 p-5">
      <StaleVersions
        {...{ form, what: 'institution', read, wordsOf }}
        valuesIn={valuesOf}
        onKeepMine={() => void submit()}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t(/* a field: of the institution */ 'portal.nameOfThing', 'Name')}
          optional
          autoComplete="organization"
          placeholder={t(
            /* an example of a name in an empty field */ 'settings.institution.example',
            'University of Example',
          )}
          hint={t(
            /* the name of the institution */ 'settings.institution.nameHint',
            'Shown in emails and on the sign-in page.',
          )}
          {...fieldIn(form, 'name')}
        />
        <TextField
          label={t(/* a field: of the institution */ 'settings.institution.timeZone', 'Time zone')}
          optional
          autoComplete="off"
          spellCheck={false}
          list={zonesId}
          placeholder={configured.timeZone}
          hint={t(
            /* {zone} applies when the field is empty: Europe/London */ 'settings.institution.timeZoneHint',
            'For emails, downloaded lists, statistics and weeks. Empty: {zone}.',
            { zone: configured.timeZone },
          )}
          {...fieldIn(form, 'timeZone')}
        />
      </div>
      <datalist id={zonesId}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <TextField
        label={t(
          /* a field: where the portal is reached */ 'settings.institution.publicUrl',
          'Public address',
        )}
        optional
        type="url"
        autoComplete="off"
        spellCheck={false}
        placeholder={configured.publicUrl}
        hint={t(
          /* {address} applies when the field is empty */ 'settings.institution.publicUrlHint',
          'Where the links in emails lead. Empty: {address}.',
          { address: configured.publicUrl },
        )}
        {...fieldIn(form, 'publicUrl')}
      />
      {address.success && (
        <AddressCheck
          key={address.data}
          address={address.data ?? configured.publicUrl}
          accepted={configured.publicUrl}
        />
      )}
      <div className="flex flex-wrap justify-end gap-3">
        {isDirty && (
          <Button onClick={() => form.reset()}>
            {t(/* a button: of a form */ 'settings.undoChanges', 'Undo changes')}
          </Button>
        )}
        <Button
          type="submit"
          busy={isSubmitting && t(/* on a button */ 'portal.saving', 'Saving…')}
        >
          {t(/* a button */ 'settings.institution.save', 'Save institution')}
        </Button>
      </div>
    </form>
  );
}

/** The logo for certificates; stored as soon as it is selected. */
function Logo({ stored }: { stored: Institution }) {
  const { logo } = stored;
  const client = useQueryClient();
  const picker = useRef<HTMLInputElement>(null);
  const change = useMutation({
    mutationFn: async (image: Blob | null) =>
      callEndpoint(putInstitution, {
        body: {
          ...{ ...partOf(stored), before: { ...partOf(stored), logo: logo ?? null } },
          logo: image && (await storeImage(image)),
        },
      }),
    onSuccess: async (saved) => {
      await replaceCached(client, INSTITUTION.queryKey, saved);
      toast({
        title:
          saved.logo === undefined
            ? t('settings.logo.removed', 'Logo removed')
            : t('settings.logo.saved', 'Logo saved'),
      });
    },
    onError: (error) =>
      showFailure(t('settings.logo.saveFailed', 'Failed to save the logo'), error),
  });
  return (
    <div className="flex flex-wrap items-center gap-4 border-t border-line p-5">
      {logo !== undefined && (
        <img
          src={`${urlOf(readLogo)}?${logo}`}
          alt={t('settings.logo', 'Logo')}
          className="h-12 max-w-40 rounded-sm bg-white object-contain"
        />
      )}
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">{t('settings.logo', 'Logo')}</p>
        <p className="text-sm text-ink-3">
          {t(
            /* where the logo is shown, and its formats */ 'settings.logo.hint',
            'On certificates. PNG, JPEG, WebP or SVG.',
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <input
          ref={picker}
          type="file"
          aria-label={t('settings.logo', 'Logo')}
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          className="hidden"
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = '';
            if (file !== undefined) change.mutate(file);
          }}
        />
        {logo !== undefined && (
          <Button onClick={() => change.mutate(null)} disabled={change.isPending}>
            {t(/* a button */ 'settings.logo.remove', 'Remove logo')}
          </Button>
        )}
        <Button
          busy={change.isPending && t(/* on a button */ 'portal.saving', 'Saving…')}
          onClick={() => picker.current?.click()}
        >
          {logo === undefined
            ? t(/* a button */ 'settings.logo.select', 'Select a logo')
            : t(/* a button */ 'settings.logo.change', 'Change logo')}
        </Button>
      </div>
    </div>
  );
}

/** The languages of the candidate's screens and mails; stored as soon as one is chosen. */
function OfferedLanguages({ stored }: { stored: Institution }) {
  const offered = stored.languages ?? [...ENGLISH_ALONE];
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (languages: Language[]) =>
      callEndpoint(putInstitution, {
        body: { ...partOf(stored), before: { ...partOf(stored), languages: offered }, languages },
      }),
    onSuccess: async (saved) => {
      await replaceCached(client, INSTITUTION.queryKey, saved);
      toast({ title: t('settings.languages.saved', 'Languages saved') });
    },
    onError: (error) =>
      showFailure(t('settings.languages.saveFailed', 'Failed to save the languages'), error),
  });
  const choose = (tag: Language, isOffered: boolean) =>
    change.mutate(isOffered ? [...offered, tag] : offered.filter((one) => one !== tag));
  return (
    <fieldset className="grid gap-3 border-t border-line p-5" disabled={change.isPending}>
      <legend className="contents">
        <span className="font-medium">
          {t('settings.languages.title', 'Languages for candidates')}
        </span>
      </legend>
      <p className="text-sm text-ink-3">
        {t(
          'settings.languages.text',
          'English is always there, and candidates can change to it at any time. The others are previews until somebody who speaks them has checked what candidates are judged by. This portal has its language in the menu at your name.',
        )}
      </p>
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        {LANGUAGE_TAGS.filter((tag) => tag !== 'en').map((tag) => (
          <Checkbox
            key={tag}
            label={
              <bdi lang={tag} translate="no">
                {LANGUAGES[tag]}
              </bdi>
            }
            checked={offered.includes(tag)}
            onChange={(event) => choose(tag, event.target.checked)}
          />
        ))}
      </div>
      {stored.translations && <TranslationChecks translations={stored.translations} />}
      {offered.length > 1 && (
        <SelectField
          label={t(/* a field */ 'settings.languages.first', 'First language')}
          hint={t(
            /* under the field “First language”: it is that of sign-in pages …; “other”, “none”: language */ 'settings.languages.firstHint',
            'Of sign-in pages for browsers with no other, and of assessments that set none.',
          )}
          value={offered[0]}
          onChange={(first) => change.mutate([first, ...offered.filter((tag) => tag !== first)])}
          options={offered.map((tag) => ({ value: tag, label: LANGUAGES[tag] }))}
        />
      )}
    </fieldset>
  );
}

const isOfZone = ([, area]: readonly unknown[]) => area === 'stats' || area === 'system';

/**
 * Checks what candidates would find at an address.
 *
 * @param accepted the only address from which the server accepts sign-ins
 */
function AddressCheck({ address, accepted }: { address: string; accepted: string }) {
  const check = useMutation({
    mutationFn: () => callEndpoint(checkPublicUrl, { body: { publicUrl: address } }),
    onError: (error) =>
      showFailure(t('settings.address.checkFailed', 'Failed to check the address'), error),
  });
  const problem = problemWith(address, accepted);
  const leadsHere = check.data?.leadsHere;
  return (
    <div className="grid gap-3">
      {problem !== null && (
        <Notice tone="warn" icon={<TriangleAlert />} title={problem.title}>
          <span role="status">
            {leadsHere &&
              `${t(/* “it”: an address */ 'settings.address.notEnough', 'Invigil answers at it, but that is not enough.')} `}
          </span>
          {problem.advice}
        </Notice>
      )}
      {leadsHere !== undefined && !(leadsHere && problem !== null) && (
        <Notice
          tone={leadsHere ? 'ok' : 'warn'}
          role={leadsHere ? 'status' : 'alert'}
          icon={leadsHere ? <CircleCheck /> : <TriangleAlert />}
          title={
            leadsHere
              ? t('settings.address.leadsHere', 'This address leads here')
              : t(
                  /* “there”: at an address */ 'settings.address.notFound',
                  'Invigil did not find itself there',
                )
          }
        >
          {leadsHere
            ? t(/* “it”: an address */ 'settings.address.answers', 'Invigil answers at it.')
            : t(
                'settings.address.notFoundAdvice',
                'Open the address in another browser. If the sign-in page appears, it works, and only the server itself cannot reach it.',
              )}
        </Notice>
      )}
      <div>
        <Button
          size="dense"
          busy={
            check.isPending &&
            t(/* on a button: it checks an address */ 'portal.checking', 'Checking…')
          }
          onClick={() => check.mutate()}
        >
          {t(/* a button */ 'settings.address.check', 'Check address')}
        </Button>
      </div>
    </div>
  );
}

function problemWith(address: string, accepted: string): { title: string; advice: string } | null {
  switch (addressProblem(address)) {
    case 'local':
      return {
        title: t('settings.address.local', 'Candidates cannot open this address'),
        advice: t(
          'settings.address.localAdvice',
          '{address} works on the server itself only. Enter the address that people type into their browser.',
          { address },
        ),
      };
    case 'not_https':
      return {
        title: t('settings.address.notHttps', 'Camera and microphone will not work'),
        advice: t(
          /* “them”: camera and microphone; “one”: an address */ 'settings.address.notHttpsAdvice',
          'Browsers allow them at addresses with https:// only. Ask IT for one.',
        ),
      };
    default:
      return address === accepted
        ? null
        : {
            title: t('settings.address.other', 'Nobody can sign in at this address yet'),
            advice: t(
              'settings.address.otherAdvice',
              'The server accepts sign-ins at {accepted} only. Ask IT to set PUBLIC_URL={address} and to restart Invigil.',
              { accepted, address },
            ),
          };
  }
}
