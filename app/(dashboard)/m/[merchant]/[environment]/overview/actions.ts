'use server';

import { redirect } from 'next/navigation';
import { requestActivation } from '@/lib/merchants/manage/request-activation';
import { hideFirstSteps } from '@/lib/overview/hide-first-steps';
import { openAction } from '@/lib/server/visit';

export async function hideStepsAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'overview');
  await hideFirstSteps(runtime, access);
  redirect(path('overview'));
}

export async function requestActivationAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'overview');
  await requestActivation(runtime, access);
  redirect(path('overview'));
}
