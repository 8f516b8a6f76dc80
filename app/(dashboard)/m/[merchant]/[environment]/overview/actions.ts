'use server';

import { requestActivation } from '@/lib/backoffice/merchants/request-activation';
import { hideFirstSteps } from '@/lib/backoffice/overview/show-overview';
import { ofMerchant, plainAction } from '@/lib/entry/server/form-action';

export const hideStepsAction = plainAction(ofMerchant('overview'), {}, async ({ runtime, access, path }) => {
  await hideFirstSteps(runtime, access);
  return path('overview');
});

export const requestActivationAction = plainAction(ofMerchant('overview'), {}, async ({ runtime, access, path }) => {
  await requestActivation(runtime, access);
  return path('overview');
});
