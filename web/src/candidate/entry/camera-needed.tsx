import { t } from '@invigil/core/texts/i18n';
import { ArrowLeft, Video } from 'lucide-react';
import { useLocation } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CandidateBar } from '../candidate-bar.tsx';
import { Steps } from '../steps.tsx';

/** Replaces the start button on phones and tablets (product 7): what to do, and what is safe. */
export function CameraNeeded({ role }: { role?: 'alert' }) {
  return (
    <Notice
      tone="warn"
      {...(role === undefined ? {} : { role })}
      icon={<Video />}
      title={t('cameraNeeded.title', 'This assessment needs a computer with a camera.')}
    >
      <p>
        {t(
          'cameraNeeded.why',
          'You cannot take it on a phone or tablet, because the camera check does not work there.',
        )}
      </p>
      <p className="mt-2">
        {t(
          'cameraNeeded.advice',
          'Open the link from your invitation on a computer with a camera and sign in there. Your one-time password stays valid. Nothing has started, and the clock is not running.',
        )}
      </p>
      <p className="mt-2">
        {t(
          /* none: no computer with a camera */ 'cameraNeeded.none',
          'If you have none, ask the person who invited you: they can let you take it without.',
        )}
      </p>
    </Notice>
  );
}

export function CameraNeededScreen({ role }: { role?: 'alert' }) {
  const [, navigate] = useLocation();
  return (
    <>
      <title>{`${t(/* name of a page */ 'deviceCheck.page', 'Device check')} · Invigil`}</title>
      <CandidateBar canLeave>
        <Steps current="deviceCheck" />
      </CandidateBar>
      <main className="mx-auto grid w-full max-w-208 justify-items-start gap-5 px-5 py-6 md:px-6 md:py-10">
        <h1 className="text-[1.625rem]! leading-8! md:text-3xl! md:leading-9.5!">
          {t(
            /* heading: the assessment cannot be taken on a phone or tablet */ 'cameraNeeded.heading',
            'Not on this device',
          )}
        </h1>
        <CameraNeeded {...(role === undefined ? {} : { role })} />
        <Button
          size="candidate"
          icon={<ArrowLeft />}
          onClick={() => navigate('/quiz/instructions')}
        >
          {t(/* a button */ 'deviceCheck.back', 'Back to instructions')}
        </Button>
      </main>
    </>
  );
}
